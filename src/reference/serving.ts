import { parseJson } from '../model/json.ts';
import { problem } from './answer.ts';
import type { Call, Incoming, Service } from './behaviour.ts';
import { hooksPath, runHook } from './hooks.ts';
import type { Received, Refusal, ServiceResponse } from './message.ts';
import { answerCall, rendered } from './phases.ts';
import { type Routes, routesOf } from './routes.ts';
import { throughWeather } from './weather.ts';

/** Calls the listener where the caller leaves before it has the response. */
export type OnGone = (listener: () => void) => void;

/** The service without a transport. */
export type Serving = {
  /** The response to a request; undefined where the connection is to be reset. */
  readonly serve: (request: Received, onGone: OnGone) => Promise<ServiceResponse | undefined>;
  readonly refuse: (request: Received, because: string) => ServiceResponse;
};

/** @param hooks whether the test-only hooks under `/__reference/` are there */
export function servingOf(service: Service, hooks: boolean): Serving {
  const routes = routesOf(service.contract.operations);
  let arrived = 0;
  const arrive = (request: Received): Waiting => {
    arrived += 1;
    return incomingOf(service, routes, request, arrived);
  };
  return {
    serve: async (request, onGone) =>
      hooks && request.path.startsWith(hooksPath)
        ? hookAnswer(service, request)
        : throughWeather(service, () => answerTo(arrive(request), onGone)),
    refuse: (request, because) => refused(arrive(request), problem(400, because)),
  };
}

type Waiting = Incoming & { readonly allow: readonly string[] };

function incomingOf(service: Service, routes: Routes, request: Received, ordinal: number): Waiting {
  const route = routes(request.method, request.path);
  const incoming: Waiting = {
    service,
    request,
    ordinal,
    requestId: '',
    operation: 'operation' in route ? route.operation : undefined,
    pathValues: 'operation' in route ? route.values : {},
    allow: 'operation' in route ? [] : route.allow,
    principal: undefined,
    parsed: undefined,
    target: undefined,
    entry: undefined,
    replayOf: undefined,
    result: undefined,
    releases: [],
  };
  incoming.requestId = service.behaviour.issueRequestId(incoming);
  return incoming;
}

function isCall(incoming: Incoming): incoming is Call {
  return incoming.operation !== undefined;
}

async function answerTo(incoming: Waiting, onGone: OnGone): Promise<ServiceResponse> {
  const { behaviour } = incoming.service;
  if (!isCall(incoming)) return refused(incoming, refuseRoute(incoming.allow));
  onGone(() => behaviour.onDisconnect(incoming));
  try {
    return traced(incoming, await answerCall(incoming));
  } catch (error) {
    // A decision failed outside the phases; the caller still gets a response that can be traced.
    return refused(incoming, behaviour.refuseCrash(incoming, error));
  }
}

function traced(incoming: Incoming, answer: ServiceResponse): ServiceResponse {
  const { attachRequestId, finish } = incoming.service.behaviour;
  return finish(incoming, attachRequestId(incoming, answer));
}

function refused(incoming: Incoming, refusal: Refusal): ServiceResponse {
  return traced(incoming, rendered(incoming, refusal));
}

function refuseRoute(allow: readonly string[]): Refusal {
  if (allow.length === 0) return problem(404, 'There is no operation at this path.');
  return problem(405, 'The operations at this path have other methods.', {
    headers: [['Allow', allow.join(', ')]],
  });
}

function hookAnswer(service: Service, request: Received): ServiceResponse {
  const text = Buffer.from(request.body).toString();
  const input = text === '' ? undefined : (parseJson(text) ?? null);
  const outcome =
    request.method === 'POST'
      ? runHook(service, request.path.slice(hooksPath.length), input)
      : { status: 405, error: 'hooks take POST' };
  return {
    kind: 'answer',
    status: 'output' in outcome ? 200 : outcome.status,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify('output' in outcome ? outcome.output : { error: outcome.error }),
  };
}
