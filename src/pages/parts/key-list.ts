import type { CapperKey } from '../../cappers/keys.ts';
import type { SignedProfile } from '../../cappers/profiles.ts';
import { iso } from '../../platform/clock.ts';
import { fingerprint } from '../../proof/capper-key.ts';
import { type Html, html } from '../html.ts';
import { fullWhen } from '../times.ts';

/** Renders the keys of a capper, each with its fingerprint, why it is trusted, and since when. */
export function keyList(keys: readonly CapperKey[]): Html {
  return html`<table class="standings split">
<thead><tr><th scope="col">Fingerprint</th><th scope="col">Use</th><th scope="col">Trusted because</th><th scope="col">Added</th></tr></thead>
<tbody>${keys.map(
    (
      key,
    ) => html`<tr><th scope="row"><code>${fingerprint(key.keyId)}</code></th><td data-label="Use">${key.purpose === 'device' ? 'Signs picks' : 'Recovery'}</td><td data-label="Trusted because">${reason(key)}</td><td data-label="Added">${fullWhen(iso(key.addedAt))}${
      key.revokedAt !== null && html`<br>Revoked by the ${key.revokedBy} ${fullWhen(iso(key.revokedAt))}`
    }</td></tr>
`,
  )}</tbody></table>`;
}

function reason({ first, endorsedBy }: CapperKey): Html | string {
  if (endorsedBy !== null) return html`signed for by <code>${fingerprint(endorsedBy)}</code>`;
  return first ? 'the first one, by invitation' : 'another invitation: no earlier key signed for it';
}

/** Renders a capper's profile, which nobody has checked. */
export function profileText({ profile: { display_name, link, about }, key }: SignedProfile): Html {
  return html`<p>${display_name !== null && html`<strong><bdi>${display_name}</bdi></strong> `}${about !== null && html`<bdi>${about}</bdi> `}${
    link !== null && html`<a href="${link}" rel="nofollow ugc noopener">${link}</a>`
  } <small class="quiet">Their own words, signed with key <code>${fingerprint(key)}</code>.</small></p>
`;
}
