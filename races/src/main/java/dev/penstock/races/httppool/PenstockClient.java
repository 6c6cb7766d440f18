package dev.penstock.races.httppool;

import dev.penstock.Retry;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.lab.load.PaymentXml.Payment;
import java.net.URI;
import java.time.Duration;

/**
 * Penstock as embedded in a program: a flow in front of a target, with defaults except for the deadline and,
 * optionally, the retry by key. Without the retry, unknown endings are visible, which shows the target alone.
 */
final class PenstockClient implements Client {
    private final HttpTarget target;
    private final Flow<HttpCall, HttpAnswer> flow;

    PenstockClient(URI url, boolean retries) {
        this.target = HttpTarget.of(url.toString());
        FlowBuilder<Object> stages =
                Flow.named("payments").deadline(Duration.ofSeconds(5)).adaptiveConcurrency();
        this.flow = retries ? stages.retry(Retry.byKey(KEY)).to(target) : stages.to(target);
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        HttpCall call = HttpCall.post("/", payment.xml())
                .withHeader("Content-Type", TYPE)
                .withHeader(KEY, payment.id());
        HttpAnswer answer = flow.call(call);
        return new Reply(answer.status(), answer.text());
    }

    @Override
    public void close() {
        target.close();
    }
}
