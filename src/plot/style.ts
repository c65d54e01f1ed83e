// One visual language: the same colour and dash for the same mechanism everywhere. Colours after Okabe and
// Ito, told apart by colour-blind readers; dashes tell them apart in grey.

export interface Look {
  readonly label: string;
  readonly colour: string;
  readonly dash: string;
}

const LOOKS: Readonly<Record<string, Look>> = {
  optimum: { label: 'optimum (P₁)', colour: '#d55e00', dash: '' },
  P2: { label: 'P₂ of the paper', colour: '#e69f00', dash: '7 3' },
  laplace: { label: 'Laplacian', colour: '#0072b2', dash: '2 3' },
  'laplace-centred': { label: 'Laplacian, centred', colour: '#0072b2', dash: '' },
  'laplace-paper': { label: 'Laplacian (paper)', colour: '#5b8fb9', dash: '1 4' },
  geometric: { label: 'geometric', colour: '#56b4e9', dash: '8 3 2 3' },
  'staircase:width=5': { label: 'Staircase a = 5', colour: '#009e73', dash: '5 4' },
  'staircase:width=20': { label: 'Staircase a = 20', colour: '#6b4e9b', dash: '10 4' },
  'geng-viswanath': { label: 'Geng-Viswanath', colour: '#cc79a7', dash: '3 2' },
  canonical: { label: 'canonical', colour: '#8c510a', dash: '8 3' },
  gaussian: { label: 'Gaussian', colour: '#777777', dash: '1 2' },
  'discrete-gaussian': { label: 'discrete Gaussian', colour: '#444444', dash: '6 2 1 2' },
  staircase: { label: 'Staircase', colour: '#009e73', dash: '' },
  uniform: { label: 'Uniform', colour: '#444444', dash: '' },
  exponential: { label: 'Exponential', colour: '#cc79a7', dash: '' },
  'Gaussian σ = 10': { label: 'Gaussian σ = 10', colour: '#d55e00', dash: '' },
  'Poisson γ = 5': { label: 'Poisson γ = 5', colour: '#0072b2', dash: '7 3' },
  'two modes': { label: 'two modes', colour: '#009e73', dash: '2 3' },
  'Zipf 1.5 on 40 points': { label: 'Zipf', colour: '#cc79a7', dash: '8 3 2 3' },
  'three atoms': { label: 'three atoms', colour: '#6b4e9b', dash: '5 4' },
  'doctor visits': { label: 'doctor visits', colour: '#444444', dash: '3 2' },
  ours: { label: 'this account', colour: '#d55e00', dash: '' },
  basic: { label: 'basic', colour: '#777777', dash: '1 2' },
  advanced: { label: 'advanced', colour: '#0072b2', dash: '7 3' },
  renyi: { label: 'Rényi', colour: '#009e73', dash: '5 4' },
  gdp: { label: 'GDP', colour: '#6b4e9b', dash: '2 3' },
  input: { label: 'input', colour: '#777777', dash: '4 3' },
  output: { label: 'output', colour: '#d55e00', dash: '' },
  before: { label: 'before', colour: '#777777', dash: '4 3' },
  after: { label: 'after', colour: '#d55e00', dash: '' },
  recovered: { label: 'recovered', colour: '#d55e00', dash: '' },
  released: { label: 'as released', colour: '#777777', dash: '4 3' },
  'usual, low': { label: 'usually at least', colour: '#0072b2', dash: '1 2' },
  'usual, high': { label: 'usually at most', colour: '#0072b2', dash: '7 3' },
  bias: { label: 'bias', colour: '#d55e00', dash: '' },
  error: { label: 'mean error', colour: '#0072b2', dash: '7 3' },
};

/** The look of a series by its name. */
export function lookOf(name: string): Look {
  return (
    (Object.hasOwn(LOOKS, name) ? LOOKS[name] : undefined) ?? { label: name, colour: '#000000', dash: '' }
  );
}
