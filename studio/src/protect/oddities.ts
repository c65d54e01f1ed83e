// Texts that stand for numbers, in the words of the page: where to say what they mean.

export const ODDITY_WORDS: Readonly<Record<string, string>> = {
  point:
    'numbers with a point, although decimals are said to follow a comma; correct that under “My file is messy”',
  bound:
    'numbers with a bound, such as 85+ or <5; say under “My file is messy” what each counts as, such as 85+=85',
  range: 'ranges, such as 10-14; say under “My file is messy” what each counts as, such as 10-14=12',
  comma: 'numbers with a comma, such as 1,5 or 1,234; say under “My file is messy” what the comma means',
  grouped: 'thousands in groups, such as 1 234; say under “My file is messy” what stands before decimals',
  unit: 'numbers with a unit or a sign, such as 12 kg; write them without in the file',
  text: 'text with digits that is no number; write plain numbers there, or say under “My file is messy” what each counts as',
};
