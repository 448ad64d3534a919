import { expect } from 'chai';
import { boardPicks } from '../../../src/projections/board-picks.ts';
import { windowTallies } from '../../../src/projections/rollups.ts';
import { updateProjections } from '../../../src/projections/update.ts';
import { post, type Stage, settle, stage } from '../../support/announcements.ts';
import { withDatabase } from '../../support/database.ts';
import { signTree } from '../../support/sign-tree.ts';

const start = Date.parse('2030-01-01T18:00:00Z');
const minute = 60_000;

describe('whether a pick was sealed in time', () => {
  const stores = withDatabase();
  let scene: Stage;

  before(async () => {
    scene = await stage(stores.database, ['ada', 'ben'], ['nfl']);
  });

  /** Signs a checkpoint over all entries. */
  async function checkpoint(signedAt: number, witnessedAt: number | null = null): Promise<void> {
    await signTree(stores.database, signedAt, witnessedAt);
  }

  async function follow(): Promise<string[]> {
    const tags: string[] = [];
    await updateProjections(stores.database, async (touched) => void tags.push(...touched));
    return tags;
  }

  async function shown(uuid: string) {
    const [pick] = await boardPicks(stores.database).where('p.uuid', uuid);
    return { at: pick!.sealedAt, inTime: pick!.sealedInTime };
  }

  const posted = async (signedAt: number, witnessedAt: number | null, imported = false): Promise<string> => {
    const [uuid] = await post(stores.database, scene, [{ imported }], start - 60 * minute);
    expect(await follow()).to.include(`pick:${uuid}`);
    expect(await shown(uuid!)).to.deep.equal({ at: null, inTime: null });
    await checkpoint(signedAt, witnessedAt);
    const tags = await follow();
    expect(tags).to.include.members([`pick:${uuid}`, 'capper:ada', 'posted']);
    expect(await shown(uuid!)).to.include({ at: signedAt });
    return uuid!;
  };

  it('is known once a checkpoint covers the pick, and bumps the tags of its answers', async () => {
    expect(await shown(await posted(start - minute, null))).to.include({ inTime: 'signed' });
  });

  it('is `witnessed` only if enough witnesses had cosigned by the start, in whole seconds', async () => {
    expect(await shown(await posted(start - minute, start - 1_000))).to.include({ inTime: 'witnessed' });
    expect(await shown(await posted(start - 1, start))).to.include({ inTime: 'signed' });
  });

  it('is `late` from the instant of the start', async () => {
    expect(await shown(await posted(start, null))).to.include({ inTime: 'late' });
    expect(await shown(await posted(start + 1, start + minute))).to.include({ inTime: 'late' });
  });

  it('is neither late nor in time for an imported pick', async () => {
    expect(await shown(await posted(start + 5 * minute, null, true))).to.include({ inTime: null });
  });

  it('does not change after the first covering checkpoint', async () => {
    const uuid = await posted(start - minute, null);
    await settle(stores.database, [uuid], start + 180 * minute);
    await checkpoint(start + 200 * minute);
    await follow();
    expect(await shown(uuid)).to.deep.equal({ at: start - minute, inTime: 'signed' });
  });

  it('is counted per capper in either order of settling and covering, without imported picks', async () => {
    const [one, two, three] = await post(
      stores.database,
      scene,
      [{ capper: 'ben' }, { capper: 'ben' }, { capper: 'ben', imported: true }],
      start - 30 * minute,
    );
    await settle(stores.database, [one!, three!], start + 180 * minute);
    await follow();
    await checkpoint(start + 190 * minute);
    expect(await follow()).to.include('settled');
    await settle(stores.database, [two!], start + 200 * minute);
    await follow();
    const capperId = scene.cappers.get('ben')!;
    const { all } = await windowTallies(stores.database, ['all'], '2030-01-01', { capperId });
    expect(all).to.include({ wins: 3, imported: 1, late: 2 });
    const { all: live } = await windowTallies(stores.database, ['all'], '2030-01-01', {
      capperId,
      provenance: 'live',
    });
    expect(live).to.include({ wins: 2, imported: 0, late: 2 });
  });
});
