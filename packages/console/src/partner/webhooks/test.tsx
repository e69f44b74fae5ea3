import type { WebhookTest } from '@portico/sdk'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { send, v2 } from '../../api.ts'
import { Badge } from '../../components/badge.tsx'
import { Panel } from '../../components/panel.tsx'
import { ErrorNote } from '../../components/states.tsx'
import { useAction } from '../../resource.ts'
import { describeFailure } from './words.ts'

/** Sends a test event and shows the receiver's response. */
export function TestPanel({ path, onSent }: { path: string; onSent: () => void }): JSX.Element {
  const [result, setResult] = useState<WebhookTest>()
  const call = v2('POST', `${path}/test`)
  const action = useAction(async () => {
    setResult((await send<WebhookTest>(call)).data)
    onSent()
  })
  return (
    <Panel
      title="Test"
      calls={[call]}
      lead={
        <>
          Sends an event of type <code>webhook.test</code> now.
        </>
      }
    >
      <div class="stack wide">
        <button type="button" class="button" disabled={action.isRunning} onClick={() => void action.run()}>
          {action.isRunning ? 'Waiting for the receiver…' : 'Send a test'}
        </button>
        {action.error && <ErrorNote error={action.error} />}
        <div role="status" class="stack wide">
          {result && <TestResult result={result} />}
        </div>
      </div>
    </Panel>
  )
}

function TestResult({ result }: { result: WebhookTest }): JSX.Element {
  const { delivered, status, durationMs, error, response } = result
  return (
    <>
      <p>
        <Badge tone={delivered ? 'good' : 'bad'}>{delivered ? 'delivered' : 'not delivered'}</Badge>{' '}
        {status === null ? 'No response' : `Status ${status}`} after {Math.round(durationMs)} ms.
        {error !== null && ` ${describeFailure(error)}`}
      </p>
      {response !== null && <ReceiverResponse text={response} />}
    </>
  )
}

/** The beginning of a response of the receiver. */
export function ReceiverResponse({ text }: { text: string }): JSX.Element {
  return text === '' ? (
    <p class="quiet">The response was empty.</p>
  ) : (
    <pre class="response" tabIndex={0} role="region" aria-label="Response of the receiver">
      {text}
    </pre>
  )
}
