import { expect, test } from '@playwright/test';
import { checkLive } from '../../support/check-live.ts';
import { at } from '../../support/faulty-service/faults.ts';
import { startFaultyService } from '../../support/faulty-service/service.ts';

/** A list with a tag (`ETag`), which is answered 304 while the service takes the tag for current. */
for (const [what, tagOf, ends] of [
  ['that counts users outlives a user who was replaced by another', () => 'W/"3"', 'fail'],
  ['that is new for each list breaks nothing', (reading: number) => `W/"${reading}"`, 'pass'],
] as const)
  test(`a tag ${what}`, async () => {
    const service = await startFaultyService();
    let reading = 0;
    service.suffer(
      at(/^GET \/v2\//, (req, res) => {
        const before = tagOf(reading);
        reading += 1;
        res.setHeader('ETag', tagOf(reading));
        if (req.headers['if-none-match'] !== before || before !== tagOf(reading)) return false;
        res.writeHead(304).end();
        return true;
      }),
    );
    try {
      const written = service.configure(test.info().outputPath('.'));
      const { requirements } = await checkLive(written, { only: ['list.fresh'] });
      expect(requirements).toMatchObject([{ id: 'list.fresh', result: ends }]);
    } finally {
      await service.close();
    }
  });
