package dev.penstock.observe.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.Reason;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.observe.FlowSnapshot;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
    private final Reachability reachability = new Reachability();

    private static FlowSnapshot look(long answered, long connect, long otherFailures, Unanswered... reasons) {
        return look(null, answered, connect, otherFailures, reasons);
    }

    private static FlowSnapshot look(
            Dedupe.@Nullable Counts dedupe, long answered, long connect, long otherFailures, Unanswered... reasons) {
        long failed = connect + otherFailures;
        Accounting account = new Accounting(
                answered + failed,
                answered,
                0,
                failed,
                0,
                0,
                Map.of("failed", Map.of("connect", connect, "refused", otherFailures)));
        List<Reason.Last> last = Stream.of(reasons)
                .map(reason -> new Reason.Last(reason.reason(), Instant.EPOCH, 1))
                .toList();
        return Snapshots.of(account, last, dedupe);
    }

    private static Dedupe.Counts claims(long first, long unavailable) {
        return new Dedupe.Counts(first, 0, 0, 0, 0, unavailable, 0, 0);
    }

    @Test
    void targetIsUnreachableFromFirstConnectFailureUntilItAnswersOrRefuses() {
        Failed refused = new Failed(Failed.Cause.CONNECT, "h:80 refused the connection");
        assertThat(reachability.next(look(0, 0, 0))).isEmpty();
        assertThat(reachability.next(look(5, 1, 0, refused)))
                .as("some get through")
                .isEmpty();
        assertThat(reachability.next(look(5, 2, 0, refused))).containsExactly("h:80 refused the connection");
        assertThat(reachability.next(look(5, 2, 0, refused))).as("no traffic").hasSize(1);
        assertThat(reachability.next(look(5, 2, 1, refused))).as("it refuses").isEmpty();
        assertThat(reachability.next(look(5, 3, 1, refused))).hasSize(1);
        assertThat(reachability.next(look(6, 3, 1, refused))).as("it answers").isEmpty();
    }

    @Test
    void storeIsUnreachableWhileNoKeyCanBeClaimed() {
        Rejected exhausted = new Rejected(Rejected.Cause.POOL, "no connection came free");
        Rejected lost = new Rejected(
                Rejected.Cause.STORE,
                "the key could not be claimed in table keys (no connection); nothing was sent",
                Duration.ofSeconds(1),
                new ConnectException("refused"));
        assertThat(reachability.next(look(claims(1, 0), 1, 0, 0))).isEmpty();
        assertThat(reachability.next(look(claims(1, 3), 1, 0, 0, exhausted, lost)))
                .containsExactly("the key could not be claimed in table keys (no connection); nothing was sent");
        assertThat(reachability.next(look(claims(2, 3), 2, 0, 0, exhausted, lost)))
                .isEmpty();
    }
}
