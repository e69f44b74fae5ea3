/**
 * How much of an attack to run: `usual` in `npm test`, where it takes seconds, `soak` in `npm run test:soak`, where it may take
 * minutes.
 */
export const scale = (usual: number, soak: number): number =>
  process.env['ACCEPTANCE_SOAK'] === undefined ? usual : soak
