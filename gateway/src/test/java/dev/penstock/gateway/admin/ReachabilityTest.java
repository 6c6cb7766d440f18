package dev.penstock.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Bottleneck;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.Reason;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
    private final Reachability reachability = new Reachability();

    @SuppressWarnings("NullAway")
    private static FlowSnapshot look(long answered, long connect, long otherFailures, Unanswered... reasons) {
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
        return new FlowSnapshot(
                null,
                account,
                last,
                List.of(),
                List.of(),
                Map.of(),
                Map.of(),
                new Bottleneck("", "", List.of()),
                Map.of(),
                Map.of(),
                List.of());
    }

    private static Dedupe.Counts claims(long first, long unavailable) {
        return new Dedupe.Counts(first, 0, 0, 0, 0, unavailable, 0, 0);
    }

    @Test
    void targetIsUnreachableFromFirstConnectFailureUntilItAnswersOrRefuses() {
        Failed refused = new Failed(Failed.Cause.CONNECT, "h:80 refused the connection");
        assertThat(reachability.next(look(0, 0, 0), null)).isEmpty();
        assertThat(reachability.next(look(5, 1, 0, refused), null))
                .as("some get through")
                .isEmpty();
        assertThat(reachability.next(look(5, 2, 0, refused), null)).containsExactly("h:80 refused the connection");
        assertThat(reachability.next(look(5, 2, 0, refused), null))
                .as("no traffic")
                .hasSize(1);
        assertThat(reachability.next(look(5, 2, 1, refused), null))
                .as("it refuses")
                .isEmpty();
        assertThat(reachability.next(look(5, 3, 1, refused), null)).hasSize(1);
        assertThat(reachability.next(look(6, 3, 1, refused), null))
                .as("it answers")
                .isEmpty();
    }

    @Test
    void storeIsUnreachableWhileNoKeyCanBeClaimed() {
        Rejected exhausted = new Rejected(Rejected.Cause.POOL, "no connection came free");
        Rejected lost = new Rejected(
                Rejected.Cause.STORE,
                "the key could not be claimed in table keys (no connection); nothing was sent",
                Duration.ofSeconds(1),
                new ConnectException("refused"));
        assertThat(reachability.next(look(1, 0, 0), claims(1, 0))).isEmpty();
        assertThat(reachability.next(look(1, 0, 0, exhausted, lost), claims(1, 3)))
                .containsExactly("the key could not be claimed in table keys (no connection); nothing was sent");
        assertThat(reachability.next(look(2, 0, 0, exhausted, lost), claims(2, 3)))
                .isEmpty();
    }
}
