package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Rejected;
import java.net.SocketException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HttpFaultsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void tooManyOpenFilesAreNotTheFaultOfTheTarget() {
        TargetLimits limits = new TargetLimits(null, SECOND, null, null, SECOND, null, 1_000);
        Rejected rejected = catchThrowableOfType(
                Rejected.class,
                () -> new HttpFaults("x.example:80", null, limits)
                        .noConnection(new SocketException("Too many open files"), 1));

        assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL);
        assertThat(rejected)
                .hasMessageContaining("x.example:80")
                .hasMessageContaining("ulimit -n")
                .hasMessageNotContaining("check the network");
    }
}
