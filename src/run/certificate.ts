import { connect } from 'node:tls';

/** A service that takes longer than this to greet gets no fingerprint; the run itself goes on. */
const patienceMs = 5000;

/**
 * SHA-256 of the certificate that the target presents, hexadecimal; undefined for http, or where none was seen.
 * It says to which server the evidence belongs, so no trust is decided here: the client of the run does that.
 */
export function certificateOf(baseUrl: string): Promise<string | undefined> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return Promise.resolve(undefined);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      rejectUnauthorized: false,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    });
    const end = (digest: string | undefined): void => {
      socket.destroy();
      resolve(digest);
    };
    socket.setTimeout(patienceMs, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => {
      const fingerprint = socket.getPeerCertificate().fingerprint256;
      end(typeof fingerprint === 'string' ? fingerprint.replaceAll(':', '').toLowerCase() : undefined);
    });
  });
}
