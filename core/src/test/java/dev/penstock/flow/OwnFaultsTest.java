package dev.penstock.flow;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.AnswerCodec;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.limit.AdaptiveLimit;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What fails on this side of the wire counts neither against the limit of a target, of whatever flow, nor against its breaker. */
class OwnFaultsTest {
    private final ManualTicker ticker = new ManualTicker();
    private final TargetLimit limit = TargetLimit.adaptive();
    /** What a call to the target ends with; null for an answer. */
    private @Nullable Throwable ending;

    private int lowest = Integer.MAX_VALUE;

    private final Flow<String, String> healthy = Flow.named("healthy")
            .ticker(ticker)
            .sharedConcurrency(limit)
            .to(request -> {
                ticker.advance(ofMillis(5));
                return "yes";
            });

    static Stream<Throwable> faults() {
        return Stream.of(
                        Arrays.stream(Rejected.Cause.values()).map(cause -> new Rejected(cause, "ours")),
                        Arrays.stream(Unknown.Cause.values()).map(cause -> Unknown.ofThisProcess(cause, "ours", null)),
                        Stream.of(
                                new Unknown(Unknown.Cause.INTERRUPTED, "the caller left"),
                                connect(new SocketException("Too many open files")),
                                connect(new SQLException("down", new SocketException("Too many open files"))),
                                connect(new SocketException("Cannot assign requested address")),
                                connect(new OutOfMemoryError("unable to create native thread")),
                                new Unknown(Unknown.Cause.ERROR, "client failed", new NoClassDefFoundError("x")),
                                new IOException("state: No space left on device"),
                                new OutOfMemoryError("Java heap space"),
                                new OutOfMemoryError("unable to create native thread"),
                                new StackOverflowError()))
                .flatMap(each -> each);
    }

    private static Failed connect(Throwable why) {
        return new Failed(Failed.Cause.CONNECT, "no connection", why);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void noFaultOfThisProcessCountsAgainstTheTarget(Throwable fault) {
        ending = fault;
        Flow<String, String> faulty = faulty();
        failFor5000Calls(faulty);
        assertUntouched(faulty);
    }

    @Test
    void noMixtureOfThemDoesEither() {
        Flow<String, String> faulty = faulty();
        var all = faults().toList();
        Random random = new Random(7);
        for (int call = 0; call < 5_000; call++) {
            ending = all.get(random.nextInt(all.size()));
            call(faulty);
            readLimit();
            ticker.advance(ofMillis(1));
        }
        assertUntouched(faulty);
    }

    @Test
    void aKeyStoreThatIsFullCountsNot() {
        IdempotencyStore full = IdempotencyStore.inMemory(1, ticker);
        Flow<String, String> keyed = builder()
                .dedupe(Dedupe.byKey((String request) -> "key " + ticker.nanos(), full, new Texts()))
                .to(request -> "yes");
        failFor5000Calls(keyed);
        assertThat(keyed.accounting().causes().get("rejected")).containsKey("store");
        assertUntouched(keyed);
    }

    /** As slowly as it answers: else the limit would take it for refusals, and make calls wait. */
    @Test
    void aTargetThatFailsDoesCount() {
        Flow<String, String> failing = builder().to(request -> {
            ticker.advance(ofMillis(5));
            throw new Failed(Failed.Cause.CONNECT, "connection refused");
        });
        failFor5000Calls(failing);
        assertThat(breaker(failing)).startsWith("open");
    }

    private static final class Texts implements AnswerCodec<String> {
        @Override
        public Class<String> kind() {
            return String.class;
        }

        @Override
        public byte[] encode(String answer) {
            return answer.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private FlowBuilder<Object> builder() {
        return Flow.named("faulty").ticker(ticker).breaker().sharedConcurrency(limit);
    }

    private Flow<String, String> faulty() {
        return builder().to(request -> {
            if (ending instanceof Error error) {
                throw error;
            }
            if (ending instanceof Exception exception) {
                throw exception;
            }
            return "yes";
        });
    }

    /** One call each millisecond; the healthy flow first, so that the limit has learned how the target answers. */
    private void failFor5000Calls(Flow<String, String> faulty) {
        for (int call = 0; call < 200; call++) {
            call(healthy);
        }
        for (int call = 0; call < 5_000; call++) {
            call(faulty);
            if (call % 100 == 0) {
                call(healthy);
            }
            readLimit();
            ticker.advance(ofMillis(1));
        }
    }

    private static void call(Flow<String, String> flow) {
        try {
            flow.call("q");
        } catch (Throwable expected) {
            boolean _ = Thread.interrupted();
        }
    }

    private void assertUntouched(Flow<String, String> faulty) {
        assertThat(breaker(faulty)).startsWith("closed: 0 of ");
        assertThat(lowest).isEqualTo(AdaptiveLimit.INITIAL);
        assertThat(faulty.bottleneck().sentence()).doesNotContain("connecting fails");
        assertThat(faulty.accounting().isBalanced()).isTrue();
    }

    /** A trial of a lower limit is short, so the limit is read all the time. */
    private void readLimit() {
        healthy.settings().stream()
                .filter(setting -> setting.name().equals("limit"))
                .forEach(setting -> lowest = Math.min(lowest, Integer.parseInt(setting.value())));
    }

    private static String breaker(Flow<?, ?> flow) {
        return flow.stages().stream()
                .filter(stage -> stage.stage().equals("breaker"))
                .findFirst()
                .orElseThrow()
                .note();
    }
}
