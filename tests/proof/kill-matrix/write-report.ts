import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalogue } from '../../../src/catalogue/types.ts';
import { matrixHtml } from './html.ts';
import type { Matrix } from './matrix.ts';

/**
 * Writes `index.html` and `matrix.json`.
 *
 * @param folder made when it is not there
 */
export async function writeMatrix(matrix: Matrix, catalogue: Catalogue, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(join(folder, 'index.html'), matrixHtml(matrix, catalogue)),
    writeFile(join(folder, 'matrix.json'), `${JSON.stringify(matrix, null, 1)}\n`),
  ]);
}
