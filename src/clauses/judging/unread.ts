import type { Fold, Ruling } from '../../model/clause.ts';
import { type Exchange, isDropped } from '../../model/exchange.ts';
import { type Seen, seen, violated } from './reading.ts';

/** So many responses in a row are no accident of the network. */
const enough = 3;

type Wanted = {
  readonly isOf: (status: number, one: Seen) => boolean;
  readonly expected: string;
};

/**
 * Responses of one kind whose head arrives and whose body never does as it was announced, such as one that is shorter than its
 * Content-Length: no client reads what they say. Other responses to the operation arrive whole, so the network is not the reason.
 */
export function unread({ expected, isOf }: Wanted): () => Fold {
  return () => {
    const whole = new Set<string>();
    const heard = new Set<string>();
    const broken = new Map<string, readonly Seen[]>();
    return {
      *see(context, trace): Iterable<Ruling> {
        for (const one of seen(context, trace)) {
          const { answer } = one.exchange;
          const status = answer?.status ?? brokenStatus(one.exchange);
          if (status === undefined) continue;
          const key = `${one.operation.id} ${status}`;
          if (answer !== undefined) {
            heard.add(one.operation.id);
            if (isOf(status, one)) whole.add(key);
            continue;
          }
          if (!isOf(status, one)) continue;
          const found = [...(broken.get(key) ?? []), one].slice(-enough);
          broken.set(key, found);
          if (whole.has(key) || !heard.has(one.operation.id) || found.length < enough) continue;
          yield violated([one], {
            expected,
            actual: `${status}, and no whole body: ${detailOf(one.exchange)}`,
            because: `The head of the response came with ${status}, but its body was not as long, or not of the form, that the head announces. That holds for each of ${enough} such responses. Others to this operation arrived whole.`,
            conclusive: true,
          });
        }
      },
    };
  };
}

/** The status of a response that the other side ended, or wrote wrongly, behind its head; a reset may be one of the network. */
function brokenStatus({ noAnswer }: Exchange): number | undefined {
  if (noAnswer?.partial === undefined) return undefined;
  const isEnded = isDropped(noAnswer) && !noAnswer.detail.includes('was reset');
  return isEnded || noAnswer.reason === 'protocol' ? noAnswer.partial.status : undefined;
}

function detailOf({ noAnswer }: Exchange): string {
  return noAnswer?.detail ?? '';
}
