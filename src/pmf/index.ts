// Mass functions on a lattice: build, moments, convolve, distance.

export * from './convolve.js';
export * from './discretize.js';
export * from './distance.js';
export * from './fourier.js';
export * from './moments.js';
export * from './pmf.js';
