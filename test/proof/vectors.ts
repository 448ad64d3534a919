import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The shared test vectors, as far as these tests read them. The file itself names their sources. */
export interface Vectors {
  rfc6962: {
    leaf_inputs_hex: string[];
    leaf_hashes: string[];
    roots_by_size: string[];
    frontier_by_size: string[][];
    inclusion_proofs: { leaf_index: number; tree_size: number; proof: string[] }[];
    consistency_proofs: { size1: number; size2: number; proof: string[] }[];
    negative: {
      inclusion: {
        file: string;
        leaf_index: number;
        tree_size: number;
        leaf_hash: string;
        root: string;
        proof: string[];
      }[];
      consistency: {
        file: string;
        size1: number;
        size2: number;
        root1: string;
        root2: string;
        proof: string[];
      }[];
    };
  };
  large_tree: {
    roots_by_size: Record<string, string>;
    tiles: { level: number; index: number; width: number; bytes: number; sha256: string }[];
    inclusion: {
      leaf_index: number;
      tree_size: number;
      length: number;
      sha256_of_concatenated_proof: string;
    }[];
    consistency: { size1: number; size2: number; length: number; sha256_of_concatenated_proof: string }[];
  };
  tlog_tiles: {
    paths: { level: number | 'entries'; index: number; width: number; path: string }[];
    geometry: Record<string, { level: number; full: number; partial_width: number }[]>;
  };
  signed_notes: {
    vectors: {
      source: string;
      vkey: string;
      note: string;
      sign_seed_hex?: string;
      expected_signature_line?: string;
    }[];
  };
  tiled_log: {
    origin: string;
    vkey: string;
    entries_utf8: string[];
    roots_base64_by_size: string[];
    entry_bundle_15_hex: string;
    tile_0_000_p15_hex: string;
    checkpoints: Record<string, string>;
  };
  ed25519: { vectors: { seed: string; pub: string; msg: string; sig: string }[] };
  cosignature_v1: { name: string; timestamp: number; vkey: string; signed_message: string; line: string };
  jcs: {
    files: Record<string, { input_json_text: string; canonical_utf8_hex: string; sha256: string }>;
    numbers_ieee754_hex: { ieee: string; json: string }[];
    reject_numbers_ieee754_hex: string[];
    strings: { utf16_hex: string; canonical_utf8_hex: string }[];
    reject_strings_utf16_hex: string[];
  };
}

const root = resolve(import.meta.dirname, '../..');
const file = resolve(root, process.env.REAL_DATA ?? '../shared/data', 'ledger-vectors.json');

/** Registers tests that need the shared vectors, or prints that they are absent. */
export function describeVectors(title: string, tests: (vectors: Vectors) => void): void {
  if (!existsSync(file)) {
    process.stdout.write(`skipped, since the shared vectors are absent: ${title}\n`);
    return;
  }
  describe(`${title} (shared vectors)`, () => tests(JSON.parse(readFileSync(file, 'utf8')) as Vectors));
}
