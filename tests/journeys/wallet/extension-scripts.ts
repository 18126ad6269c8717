/** The scripts of the extension. Each is written to a file by its text, so it may use nothing from around it. */
import type { Answer, Features, Plan } from './extension.ts'

type Listener = (value: unknown) => void
type Sender = { tab?: { id: number } }
type Chrome = {
  runtime: {
    onMessage: {
      addListener(
        listener: (message: never, sender: Sender, respond: (answer: unknown) => void) => boolean | undefined,
      ): void
    }
    sendMessage(message: unknown): Promise<unknown>
    getURL(file: string): string
  }
  windows: {
    create(options: object): Promise<{ id: number }>
    remove(id: number): Promise<void>
    onRemoved: { addListener(listener: (id: number) => void): void }
  }
}

type Call = { id: number; method: string; params: unknown }
type PageMessage = { candela: string; to: 'page' | 'bridge' } & Record<string, unknown>

/** In the page: the provider, and its announcement. */
export function runInPage({ name, rdns }: { name: string; rdns: string }): void {
  const page = globalThis as unknown as EventTarget & {
    ethereum?: unknown
    postMessage(message: unknown, to: string): void
  }
  const listeners = new Map<string, Set<Listener>>()
  const asked = new Map<number, { resolve: (value: unknown) => void; reject: (error: unknown) => void }>()
  let last = 0
  const provider = {
    request: ({ method, params }: { method: string; params?: unknown }) =>
      new Promise((resolve, reject) => {
        last += 1
        asked.set(last, { resolve, reject })
        page.postMessage({ candela: rdns, to: 'bridge', id: last, method, params: params ?? [] }, '*')
      }),
    on: (event: string, listener: Listener) =>
      void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: Listener) => void listeners.get(event)?.delete(listener),
  }
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
  const info = { uuid: crypto.randomUUID(), icon, name, rdns }
  const announce = () =>
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  const begin = (features: Features) =>
    setTimeout(() => {
      page.addEventListener('eip6963:requestProvider', announce)
      announce()
    }, features.lateMs)
  page.addEventListener('message', (event) => {
    const { data } = event as unknown as { data: PageMessage | null }
    if (data?.candela !== rdns || data.to !== 'page') return
    if (data['features'] !== undefined) begin(data['features'] as Features)
    if (typeof data['event'] === 'string') listeners.get(data['event'])?.forEach((listener) => listener(data['value']))
    const waiting = asked.get(Number(data['id']))
    if (waiting === undefined) return
    const answer = data['answer'] as Answer
    if ('result' in answer) waiting.resolve(answer.result)
    else if (data['throwsTexts'] === true) waiting.reject(answer.error.message)
    else waiting.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }))
  })
}

/** Between the page and the worker. */
export function runBridge({ rdns }: { rdns: string }): void {
  const { chrome, window } = globalThis as unknown as {
    chrome: Chrome
    window: EventTarget & { postMessage(message: unknown, to: string): void }
  }
  const toPage = (message: object) => window.postMessage({ candela: rdns, to: 'page', ...message }, '*')
  window.addEventListener('message', (event) => {
    const { data } = event as unknown as { data: PageMessage | null }
    if (data?.candela !== rdns || data.to !== 'bridge') return
    const { id, method, params } = data
    const ask = async (): Promise<void> => {
      const answer = await chrome.runtime.sendMessage({ method, params })
      // Null: a wallet that does not answer.
      if (answer !== null && answer !== undefined) toPage({ id, ...answer })
    }
    void ask()
  })
  void chrome.runtime.sendMessage({ features: true }).then((features) => toPage({ features }))
}

/** The wallet itself: opens its window where a person has to decide, and has the test's process do the rest. */
export function runWorker({ origin }: { origin: string }): void {
  const { chrome } = globalThis as unknown as { chrome: Chrome }
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(origin + path, { method: 'POST', body: JSON.stringify(body) })
    return await answer.json()
  }
  const decisions = new Map<number, { call: Call; decide: (how: 'yes' | 'no' | 'closed') => void }>()
  const windows = new Map<number, number>()
  let last = 0

  const prompt = (call: Call): Promise<'yes' | 'no' | 'closed'> =>
    new Promise((resolve) => {
      last += 1
      const id = last
      decisions.set(id, { call, decide: resolve })
      const url = chrome.runtime.getURL(`window.html?${id}`)
      void chrome.windows
        .create({ url, type: 'popup', width: 360, height: 480 })
        .then((window) => windows.set(window.id, id))
    })
  /** The test's process knows of the decision before the page does. */
  const settle = async (id: number, how: 'yes' | 'no' | 'closed'): Promise<void> => {
    const decision = decisions.get(id)
    decisions.delete(id)
    if (decision === undefined) return
    await post('/decided', decision.call)
    decision.decide(how)
  }
  chrome.windows.onRemoved.addListener((window) => void settle(windows.get(window) ?? 0, 'closed'))

  const handle = async (call: Call): Promise<unknown> => {
    const plan = (await post('/plan', call)) as Plan
    const { throwsTexts } = (await post('/features', {})) as Features
    if (plan.kind === 'silent') return null
    if (plan.kind === 'answer') return { answer: plan.answer, throwsTexts }
    const how = await prompt(call)
    if (how === 'closed' && plan.closedIsSilent) return null
    const refused: Answer = { error: { code: 4001, message: 'User rejected the request.' } }
    return { answer: how === 'yes' ? await post('/perform', call) : refused, throwsTexts }
  }

  type Message = Partial<Call> & { features?: boolean; window?: number; how?: 'yes' | 'no' }
  chrome.runtime.onMessage.addListener((message: Message, _sender, respond) => {
    const { window } = message
    if (message.features === true) void post('/features', {}).then(respond)
    else if (window !== undefined && message.how === undefined) respond(decisions.get(window)?.call ?? null)
    else if (window !== undefined) void settle(window, message.how ?? 'no').then(() => respond(null))
    else void handle(message as Call).then(respond)
    return true
  })
}

/** The wallet's window: what is asked for, and the two answers. */
export function runWindow(): void {
  const { chrome, document, location, close } = globalThis as unknown as {
    chrome: Chrome
    document: {
      querySelector(selector: string): { textContent: string; addEventListener(name: string, act: () => void): void }
    }
    location: { search: string }
    close: () => void
  }
  const id = Number(location.search.slice(1))
  const show = async (): Promise<void> => {
    const { method, params } = (await chrome.runtime.sendMessage({ window: id })) as Call
    document.querySelector('#what').textContent = `${method}\n${JSON.stringify(params)}`
  }
  void show()
  for (const how of ['yes', 'no'])
    document
      .querySelector(`#${how}`)
      .addEventListener('click', () => void chrome.runtime.sendMessage({ window: id, how }).then(close))
}
