package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import dev.penstock.http.tls.TlsPeer;
import dev.penstock.kit.ManualTicker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller with less time than a connection takes to open says nothing about the target. On real sockets, with a clock of its own. */
@Timeout(120)
class ImpatientCallerRealClockTest {
    private static final TestAuthority AUTHORITY = TestAuthority.first();
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final HttpCall CALL = HttpCall.post("/in", "<pay/>");

    @TempDir
    Path directory;

    private final CountDownLatch open = new CountDownLatch(1);

    private Path authority() throws Exception {
        return Files.writeString(directory.resolve("ca.pem"), AUTHORITY.caPem());
    }

    private static Unanswered hurried(HttpTarget target) {
        Deadline deadline = Deadline.in(Duration.ofMillis(20), new ManualTicker());
        return catchThrowableOfType(Unanswered.class, () -> deadline.call(() -> target.call(CALL)));
    }

    @Test
    void leavesItsConnectionToTheNextCaller() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    open.await();
                    talk.secure(TlsPeer.contextOf(AUTHORITY), false);
                    while (talk.request() != null) {
                        talk.send(OK);
                    }
                });
                HttpTarget target = HttpTarget.at("https://localhost:" + peer.port())
                        .tls(Tls.platform().trusting(authority()))
                        .version(HttpVersion.HTTP_1_1)
                        .connectTimeout(Duration.ofMinutes(1))
                        .build()) {
            for (int caller = 0; caller < 5; caller++) {
                assertThat(hurried(target))
                        .isInstanceOfSatisfying(
                                Rejected.class,
                                rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.DEADLINE))
                        .hasMessageContaining("the caller's deadline");
            }
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("idle", 0L);
            open.countDown();
            assertThat(target.call(CALL).text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void leavesAnIdleConnectionIfNobodyFollows() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    open.await();
                    talk.secure(TlsPeer.contextOf(AUTHORITY), false);
                    while (talk.request() != null) {
                        talk.send(OK);
                    }
                });
                HttpTarget target = HttpTarget.at("https://localhost:" + peer.port())
                        .tls(Tls.platform().trusting(authority()))
                        .version(HttpVersion.HTTP_1_1)
                        .connectTimeout(Duration.ofMinutes(1))
                        .build()) {
            assertThat(hurried(target)).isInstanceOf(Rejected.class);
            open.countDown();
            Calls.until(target, "idle", 1);
            assertThat(target.connections()).containsEntry("leased", 0L).containsEntry("opened", 1L);
        }
    }

    /** The negotiation takes longer than any caller waits: the next one learns its result. */
    @Test
    void learnsThatHttp2IsNotOffered() throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    pass(Duration.ofMillis(100));
                    talk.secure(TlsPeer.contextOf(AUTHORITY), false);
                    while (talk.request() != null) {
                        talk.send(OK);
                    }
                });
                HttpTarget target = HttpTarget.at("https://localhost:" + peer.port())
                        .tls(Tls.platform().trusting(authority()))
                        .connectTimeout(Duration.ofMinutes(1))
                        .build()) {
            Calls.until(() -> {
                try {
                    pass(Duration.ofMillis(300)); // nobody waits when the negotiation ends
                    Deadline deadline = Deadline.in(Duration.ofMillis(20), new ManualTicker());
                    return deadline.call(() -> target.call(CALL)).status() == 200;
                } catch (Exception hurried) {
                    return false;
                }
            });
        }
    }

    private static void pass(Duration time) {
        long at = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - at < 0) {
            LockSupport.parkNanos(at - System.nanoTime());
        }
    }

    /** Otherwise a breaker would never open for callers whose deadline is shorter than the connect timeout. */
    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void isToldThatTheTargetIsDownOnceTwoOpeningsHaveFailed(HttpVersion version) throws Exception {
        try (RawPeer silent = RawPeer.start(talk -> open.await());
                HttpTarget target = HttpTarget.at("https://localhost:" + silent.port())
                        .version(version)
                        .connectTimeout(Duration.ofSeconds(1))
                        .build()) {
            assertThat(hurried(target)).isInstanceOf(Rejected.class).hasMessageContaining("the caller's deadline");
            for (int failed = 0; failed < 2; failed++) {
                assertThat(catchThrowableOfType(Failed.class, () -> target.call(CALL)))
                        .hasMessageContaining("within 1 s");
            }
            assertThat(hurried(target)).isInstanceOf(Failed.class).hasMessageContaining("within 1 s");
        } finally {
            open.countDown();
        }
    }

    /** Its deadline is longer than an answer takes, but not after the wait for the only connection. */
    @Test
    void isNotSentAfterAWaitThatLeavesTooLittleTime() throws Exception {
        CountDownLatch waits = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
                    talk.request();
                    pass(Duration.ofMillis(300));
                    talk.send(OK);
                    talk.request();
                    waits.await();
                    pass(Duration.ofMillis(300));
                    talk.send(OK);
                    talk.request();
                });
                HttpTarget target = HttpTarget.at(peer.url("/")).poolMax(1).build()) {
            assertThat(target.maxConcurrency()).isEqualTo(1);
            target.call(CALL);
            CompletableFuture<HttpAnswer> first = Calls.inThread(CALL, target);
            Calls.until(() -> peer.requests().size() == 2);
            FutureTask<Rejected> late = new FutureTask<>(() -> catchThrowableOfType(
                    Rejected.class, () -> Deadline.in(Duration.ofMillis(400)).call(() -> target.call(CALL))));
            Thread.ofVirtual().start(late);
            Calls.until(() -> late.isDone() || target.connections().getOrDefault("pending", 0L) == 1);
            waits.countDown();
            assertThat(late.get().why()).isEqualTo(Rejected.Cause.DEADLINE);
            first.get();
            assertThat(peer.requests()).hasSize(2);
        }
    }
}
