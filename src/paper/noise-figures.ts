import { toNumberNear } from '../exact/index.js';
import { moments } from '../pmf/index.js';
import { type Chart, type Section, type Table, withData } from './section.js';
import { pmfOf, points } from './setting.js';

export function massSection(
  id: string,
  title: string,
  text: string,
  reach: number,
  note = 'rounded down to the lattice as in the paper.',
): Section {
  const [family] = text.split(':');
  const { mean, meanAbsolute } = moments(pmfOf(text));
  const chart: Chart = {
    name: id,
    kind: 'mass',
    title,
    x: 'noise k, in steps',
    y: 'probability',
    series: [{ name: family!, points: points(pmfOf(text), -reach, reach) }],
  };
  const table: Table = {
    name: `${id}-moments`,
    header: ['noise', 'E θ', 'E|θ|'],
    rows: [[text, toNumberNear(mean), toNumberNear(meanAbsolute)]],
  };
  return withData(id, title, [`${text}; ${note}`], [chart], [table]);
}
