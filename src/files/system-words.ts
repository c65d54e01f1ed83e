// What a system says, in the user's words.

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EISDIR: 'is a directory, expected a file',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EPIPE: 'the reader closed the pipe',
  ENOTDIR: 'a part of the path is not a directory',
  ENAMETOOLONG: 'the name is too long; choose a shorter one',
  ERR_STRING_TOO_LONG: 'the file is too large to read at once',
  ERR_FS_FILE_TOO_LARGE: 'the file is too large to read at once',
};

/** A system's error in the user's words; its own where there are no others. */
export function systemWords(error: unknown, others?: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return SYSTEM_WORDS[code ?? ''] ?? others ?? message;
}
