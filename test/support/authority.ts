import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  cryptoProvider,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A test's own certificate authority. Only those with its certificate trust it. */
export interface Authority {
  /** Its certificate, in PEM. */
  certificate: string;
  /** Issues a server certificate for names and addresses. */
  issue(...hosts: string[]): Promise<{ key: string; cert: string }>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;

export async function createAuthority(name: string): Promise<Authority> {
  cryptoProvider.set(crypto);
  const keys = await newKeys();
  const own = await X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  return {
    certificate: own.toString('pem'),
    async issue(...hosts) {
      const server = await newKeys();
      const certificate = await X509CertificateGenerator.create({
        ...validity(),
        subject: `CN=${hosts[0]}`,
        issuer: own.subject,
        publicKey: server.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [
          new BasicConstraintsExtension(false),
          new SubjectAlternativeNameExtension(
            hosts.map((value) => ({ type: isIP(value) === 0 ? 'dns' : 'ip', value })),
          ),
        ],
      });
      return pems(certificate, server.privateKey);
    },
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

function validity() {
  return { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
}

async function pems(
  certificate: X509Certificate,
  key: webcrypto.CryptoKey,
): Promise<{ key: string; cert: string }> {
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', key);
  return { key: PemConverter.encode(pkcs8, 'PRIVATE KEY'), cert: certificate.toString('pem') };
}
