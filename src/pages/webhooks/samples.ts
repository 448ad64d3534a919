/** A program shown on the page about webhooks. The tests run every one unchanged. */
export interface Sample {
  id: string;
  title: string;
  code: string;
}

export function managementSamples(baseUrl: string): { subscribe: Sample; manage: Sample } {
  return {
    subscribe: {
      id: 'sample-subscribe',
      title: 'curl',
      code: `curl -X POST ${baseUrl}/api/webhooks \\
  -H 'Content-Type: application/json' \\
  -d '{
    "owner_email": "you@example.com",
    "target_url": "https://receiver.example.com/picks",
    "sport": "nfl"
  }'`,
    },
    manage: {
      id: 'sample-manage',
      title: 'curl',
      code: `# ID and SECRET are from the response to the subscription.
curl "${baseUrl}/api/webhooks?email=you@example.com"
curl -H "X-Webhook-Secret: $SECRET" ${baseUrl}/api/webhooks/$ID/attempts
curl -X POST -H "X-Webhook-Secret: $SECRET" ${baseUrl}/api/webhooks/$ID/ping
curl -X POST -H "X-Webhook-Secret: $SECRET" ${baseUrl}/api/webhooks/$ID/pause
curl -X POST -H "X-Webhook-Secret: $SECRET" ${baseUrl}/api/webhooks/$ID/resume \\
  -H 'Content-Type: application/json' -d '{"from": "cursor"}'
curl -X DELETE -H "X-Webhook-Secret: $SECRET" ${baseUrl}/api/webhooks/$ID`,
    },
  };
}

export const verifySamples: readonly Sample[] = [
  {
    id: 'sample-openssl',
    title: 'A saved delivery, with openssl',
    code: `# body.json: the raw body, byte for byte. SIGNATURE: the X-Service-Signature header.
expected="sha256=$(openssl dgst -sha256 -hmac "$SECRET" -r < body.json | cut -d ' ' -f 1)"
if [ "$expected" = "$SIGNATURE" ]; then echo genuine; else echo forged; fi`,
  },
  {
    id: 'sample-node',
    title: 'A receiver in Node',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { SECRET, PORT = '8080' } = process.env;

function isGenuine(body, signature = '') {
  const hmac = createHmac('sha256', SECRET).update(body).digest('hex');
  const expected = Buffer.from('sha256=' + hmac);
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isGenuine(body, request.headers['x-service-signature'])) {
    response.writeHead(401).end();
    return;
  }
  const { pick, settlement } = JSON.parse(body);
  console.log(request.headers['x-service-event'], pick?.pickUuid, settlement?.result);
  response.writeHead(204).end();
}).listen(Number(PORT));`,
  },
  {
    id: 'sample-python',
    title: 'A receiver in Python',
    code: `import hashlib, hmac, json, os
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["SECRET"]

def is_genuine(body, signature):
    expected = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), signature.encode())

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(body, self.headers.get("X-Service-Signature", ""))
        if genuine:
            delivery = json.loads(body)
            print(self.headers["X-Service-Event"], delivery.get("pick"), flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()

HTTPServer(("", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()`,
  },
];
