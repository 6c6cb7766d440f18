package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.penstock.Observation;
import dev.penstock.Observation.Observer;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.observe.RequestDetails;
import dev.penstock.observe.Sampling;
import dev.penstock.observe.TransactionLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** With the MDC of the logging that ships. */
class RecordCostTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CALLS = 20_000;
    private static final int ROUNDS = 30;
    private static final Observation.Exchange EXCHANGE =
            new Observation.Exchange("http://127.0.0.1:1", to -> to.accept("wait", 1), 1, 1);

    /** The least of several rounds. */
    private record Cost(double nanos, double bytes) {
        static Cost of(@Nullable Observer observer) throws Exception {
            FlowBuilder<Object> stages = Flow.named("f").concurrency(4);
            if (observer != null) {
                stages.observer(observer);
            }
            Flow<String, String> flow = stages.to(request -> {
                Observation mine = dev.penstock.CallContext.currentObservation();
                if (mine != null) {
                    mine.exchanged(EXCHANGE);
                }
                return request;
            });
            double nanos = Double.MAX_VALUE;
            double bytes = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long allocated = THREADS.getCurrentThreadAllocatedBytes();
                long start = THREADS.getCurrentThreadCpuTime();
                for (int call = 0; call < CALLS; call++) {
                    flow.call("a");
                }
                nanos = Math.min(nanos, (THREADS.getCurrentThreadCpuTime() - start) / (double) CALLS);
                bytes = Math.min(bytes, (THREADS.getCurrentThreadAllocatedBytes() - allocated) / (double) CALLS);
            }
            return new Cost(nanos, bytes);
        }
    }

    @Test
    void anUnsampledTransactionAllocatesLittle() throws Exception {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (TransactionLog log = TransactionLog.toStream(new PrintStream(written), Sampling.parse("errors+slow"))) {
            Cost without = Cost.of(null);
            Cost with = Cost.of(log.observer(RequestDetails.NONE));
            double nanos = with.nanos - without.nanos;
            double bytes = with.bytes - without.bytes;
            System.out.printf("unsampled transaction: %.0f ns of CPU and %.0f bytes more%n", nanos, bytes);
            assertThat(bytes).isLessThan(800);
        }
    }

    @Test
    void theMdcHasFlowAndIdWhileATransactionRuns() throws Exception {
        List<String> seen = new ArrayList<>();
        try (TransactionLog log =
                TransactionLog.toStream(new PrintStream(new ByteArrayOutputStream()), Sampling.parse("errors"))) {
            Flow<String, String> inner = Flow.named("inner")
                    .observer(log.observer(RequestDetails.NONE))
                    .to(request -> {
                        seen.add(MDC.get("flow"));
                        return request;
                    });
            Flow<String, String> outer = Flow.named("outer")
                    .observer(log.observer(RequestDetails.NONE))
                    .to(request -> {
                        String id = MDC.get("id");
                        String answer = inner.call(request);
                        assertThat(MDC.get("id")).isEqualTo(id).hasSize(36);
                        seen.add(MDC.get("flow"));
                        return answer;
                    });
            assertThat(outer.call("a")).isEqualTo("a");
        }
        assertThat(seen).containsExactly("inner", "outer");
        assertThat(MDC.get("flow")).isNull();
        assertThat(MDC.get("id")).isNull();
    }
}
