import type { Incoming } from '../behaviour.ts';
import { conforming } from '../conforming.ts';
import { headerValues, type ServiceResponse } from '../message.ts';
import type { SeededFault } from './fault.ts';
import { hastyAlone } from './throttling.ts';

function absent(matches: (answer: ServiceResponse, incoming: Incoming) => boolean): SeededFault['change'] {
  return {
    attachRequestId: (incoming, answer) =>
      matches(answer, incoming) ? answer : conforming.attachRequestId(incoming, answer),
  };
}

function adopting(takes: (sent: string) => boolean): SeededFault['change'] {
  return {
    attachRequestId: (incoming, answer) => {
      const [sent] = headerValues(incoming.request, 'X-Request-Id');
      return sent === undefined || !takes(sent)
        ? conforming.attachRequestId(incoming, answer)
        : { ...answer, headers: [...answer.headers, ['X-Request-Id', sent]] };
    },
  };
}

export const requestIdFaults: readonly SeededFault[] = [
  {
    id: 'R01',
    describes: 'X-Request-Id is absent on accepted commands.',
    breaks: 'RID-1',
    also: 'IDM-25',
    change: absent(({ status }, { operation }) => status < 300 && operation?.kind === 'command'),
  },
  {
    id: 'R02',
    describes: 'X-Request-Id is absent on 401: authentication runs before it is issued.',
    breaks: 'RID-3',
    change: absent(({ status }) => status === 401),
  },
  {
    id: 'R03',
    describes: 'X-Request-Id is absent on 403.',
    breaks: 'RID-3',
    change: absent(({ status }) => status === 403),
  },
  {
    id: 'R04',
    describes: 'X-Request-Id is absent on 409.',
    breaks: 'RID-3',
    also: 'IDM-25',
    change: absent(({ status }) => status === 409),
  },
  {
    id: 'R06',
    describes: 'X-Request-Id is absent on 429: the limiter runs before it is issued.',
    breaks: 'RID-3',
    change: { ...absent(({ status }) => status === 429), ...hastyAlone },
    settings: { rateLimit: 40, rateWindowMs: 1500 },
  },
  {
    id: 'R07',
    describes: 'X-Request-Id is absent on 500.',
    breaks: 'RID-3',
    also: 'ERR-4',
    change: absent(({ status }) => status === 500),
  },
  {
    id: 'R08',
    describes: 'Request IDs begin with REQ_.',
    breaks: 'RID-2',
    also: 'RID-7',
    change: { issueRequestId: (incoming) => conforming.issueRequestId(incoming).replace('req_', 'REQ_') },
  },
  {
    id: 'R10',
    describes: 'All responses have the same request ID.',
    breaks: 'RID-4',
    also: 'RID-5',
    change: { issueRequestId: () => 'req_0001' },
  },
  {
    id: 'R11',
    describes: 'The request ID is the time of the request in whole seconds.',
    breaks: 'RID-4 RID-5',
    change: { issueRequestId: ({ service }) => `req_${Math.floor(service.clock.wall() / 1000)}` },
  },
  {
    id: 'R12',
    describes: "The client's X-Request-Id is adopted unchanged.",
    breaks: 'RID-7',
    also: 'RID-2',
    change: adopting(() => true),
  },
  {
    id: 'R63',
    describes: "The client's X-Request-Id is adopted if it is a UUID.",
    breaks: 'RID-7',
    change: adopting((sent) => /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(sent)),
  },
  {
    id: 'R14',
    describes: 'Reads have no request ID.',
    breaks: 'RID-9',
    also: 'RID-3',
    change: absent((_, { operation }) => operation?.kind === 'read'),
    operations: ['getCase'],
  },
  {
    id: 'R15',
    describes: 'The request ID is only in the body.',
    breaks: 'RID-1',
    also: 'RID-3 RID-9 IDM-25 ERR-4',
    change: absent(() => true),
  },
  {
    id: 'R60',
    describes: 'Two layers each issue a request ID.',
    breaks: 'RID-6',
    change: {
      attachRequestId: (incoming, answer) => ({
        ...conforming.attachRequestId(incoming, answer),
        headers: [
          ...conforming.attachRequestId(incoming, answer).headers,
          ['X-Request-Id', conforming.issueRequestId(incoming)],
        ],
      }),
    },
  },
  {
    id: 'R61',
    describes: 'Parallel requests share the variable that holds the request ID.',
    breaks: 'RID-5',
    also: 'RID-4',
    change: {
      beforeCommit: ({ service }) => service.clock.sleep(60, service.closing),
      issueRequestId: (incoming) => {
        const { notes } = incoming.service;
        const underWay = Number(notes.get('under way') ?? 0);
        notes.set('under way', underWay + 1);
        const shared = notes.get('request ID');
        if (underWay > 0 && typeof shared === 'string') return shared;
        const made = conforming.issueRequestId(incoming);
        notes.set('request ID', made);
        return made;
      },
      finish: (incoming, answer) => {
        const { notes } = incoming.service;
        notes.set('under way', Math.max(0, Number(notes.get('under way') ?? 0) - 1));
        return answer;
      },
    },
  },
  {
    id: 'R62',
    describes: 'The request ID in an error body differs from its header.',
    breaks: 'RID-8',
    change: {
      problemBody: (incoming, problem) =>
        conforming.problemBody({ ...incoming, requestId: conforming.issueRequestId(incoming) }, problem),
    },
  },
];
