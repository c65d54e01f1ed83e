import { toNumberNear } from '../exact/index.js';
import { moments } from '../pmf/index.js';
import { type Chart, type Section, tableFrom, withData } from './section.js';
import { pmfOf, points } from './setting.js';

interface NoiseFigure {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly reach: number;
  readonly note?: string;
}

export const noiseFigures: readonly NoiseFigure[] = [
  { id: 'fig1', title: 'Figure 1: Gaussian noise', text: 'gaussian:sigma=10', reach: 40 },
  { id: 'fig2', title: 'Figure 2: Laplacian noise', text: 'laplace:scale=7.5', reach: 40 },
  {
    ...{ id: 'fig3', title: 'Figure 3: Staircase noise', reach: 40 },
    text: 'staircase:width=5,ratio=0.5134171190325920',
    note: 'stairs of five points, each ratio times as high as the one before.',
  },
  {
    ...{ id: 'fig4', title: 'Figure 4: Uniform noise', text: 'uniform:low=-20,high=20', reach: 30 },
    note: 'all 41 points alike.',
  },
  {
    ...{ id: 'fig5', title: 'Figure 5: Exponential noise', text: 'exponential:rate=0.2', reach: 30 },
    note: 'normalised; as the paper writes it, it does not sum to 1.',
  },
];

export function massSection({ id, title, text, reach, note }: NoiseFigure): Section {
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
  const table = tableFrom(`${id}-moments`, [
    { noise: text, 'E θ': toNumberNear(mean), 'E|θ|': toNumberNear(meanAbsolute) },
  ]);
  return withData(
    id,
    title,
    [`${text}; ${note ?? 'rounded down to the lattice as in the paper.'}`],
    [chart],
    [table],
  );
}
