package dev.penstock.flow;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BreakerSettings;
import dev.penstock.Deadline;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.limit.AdaptiveLimit;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A target that takes a second, and callers who allow it less: what they learn is their own affair. */
class ShortDeadlineTest {
    private static final int MANY = 200;
    private static final Duration TAKES = ofSeconds(1);

    private final ManualTicker ticker = new ManualTicker();
    private final Flow<String, String> flow = Flow.named("payments")
            .ticker(ticker)
            .deadline(ofSeconds(5))
            .breaker(BreakerSettings.DEFAULTS)
            .adaptiveConcurrency()
            .to(Service.honoringDeadline(this::takesASecond));

    private String takesASecond(String request) throws Unknown {
        Duration left = Objects.requireNonNull(Deadline.current()).left();
        if (left.compareTo(TAKES) < 0) {
            ticker.advance(left);
            throw new Unknown(Unknown.Cause.TIMEOUT, "no answer within " + left);
        }
        ticker.advance(TAKES);
        return "done";
    }

    private void timeOut(Duration allowed) {
        assertThatThrownBy(() -> Deadline.in(allowed, ticker).call(() -> flow.call("pay")))
                .isInstanceOf(Unknown.class);
    }

    @Test
    void timeoutsOfCallersThatAllowLittleOpenNoBreakerAndLowerNoLimit() throws Exception {
        for (int i = 0; i < MANY; i++) {
            timeOut(ofMillis(50));
        }
        assertThat(flow.headroom()).isEqualTo(AdaptiveLimit.INITIAL);
        assertThat(flow.call("pay")).isEqualTo("done");
    }

    @Test
    void timeoutsOfTheFlowsOwnDeadlineDo() {
        Flow<String, String> own = Flow.named("hasty")
                .ticker(ticker)
                .deadline(ofMillis(50))
                .breaker(BreakerSettings.DEFAULTS)
                .adaptiveConcurrency()
                .to(Service.honoringDeadline(this::takesASecond));
        for (int i = 0; i < MANY; i++) {
            assertThatThrownBy(() -> own.call("pay")).isInstanceOf(Unanswered.class);
        }
        assertThatThrownBy(() -> own.call("pay")).isInstanceOf(Rejected.class);
        assertThat(own.headroom()).isZero();
    }
}
