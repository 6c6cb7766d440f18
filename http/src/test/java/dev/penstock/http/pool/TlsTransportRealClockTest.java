package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.limits;
import static dev.penstock.http.pool.PoolScene.until;
import static dev.penstock.http.pool.PoolScene.untilWaiting;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import java.io.EOFException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What comes over TLS while a connection is idle, and while it is used. */
@Timeout(120)
class TlsTransportRealClockTest {
    private static final byte[] ANSWER = "HTTP/1.1 200 OK".getBytes(US_ASCII);

    private PoolScene scene;
    private Connection connection;
    private TlsEnd peer;

    @BeforeEach
    void start() throws Exception {
        SSLContext context = TlsEnd.client();
        scene = new PoolScene(limits(2), null, Ticker.SYSTEM, () -> context);
        connect("TLSv1.3");
    }

    /** With a peer that keeps its tickets back. */
    private void connect(String protocol) throws Exception {
        FutureTask<Connection> opening = new FutureTask<>(scene::lease);
        Thread.ofVirtual().start(opening);
        peer = TlsEnd.of(scene.peer(), protocol);
        connection = opening.get();
    }

    @AfterEach
    void stop() throws Exception {
        scene.close();
    }

    private void exchange() throws Exception {
        Connection leased = scene.lease();
        assertThat(leased).isSameAs(connection);
        exchange(new byte[] {1, 2, 3}, ANSWER);
        scene.release(leased);
        assertThat(leased.isIdle()).isTrue();
    }

    private void exchange(byte[] request, byte[] answer) throws Exception {
        connection.out().write(request);
        assertThat(peer.read(request.length)).isEqualTo(request);
        peer.send(peer.sealed(answer));
        connection.awaitAnswer();
        assertThat(connection.in().readNBytes(answer.length)).isEqualTo(answer);
    }

    /** Until the loop has read what was sent to an idle connection: looks find no byte. */
    private void untilSeen() throws Exception {
        Connection other = scene.lease();
        assertThat(other).isSameAs(connection);
        scene.release(other);
    }

    @Test
    void aTicketWhileIdleEndsNothing() throws Exception {
        scene.release(connection);
        peer.send(peer.tickets());
        untilSeen();
        for (int i = 0; i < 3; i++) {
            exchange();
        }
        assertThat(scene.count("opened")).isEqualTo(1);
    }

    @Test
    void aTicketThatComesByteForByteEndsNothing() throws Exception {
        scene.release(connection);
        for (byte one : peer.tickets()) {
            peer.send(new byte[] {one});
            untilSeen();
        }
        exchange();
    }

    @Test
    void halfARecordWaitsForItsOtherHalfAcrossAnExchange() throws Exception {
        scene.release(connection);
        byte[] ticket = peer.tickets();
        peer.send(Arrays.copyOf(ticket, 20));
        untilSeen();
        assertThat(scene.lease()).isSameAs(connection);
        connection.out().write(1);
        assertThat(peer.read(1)).containsExactly(1);
        peer.send(Arrays.copyOfRange(ticket, 20, ticket.length));
        peer.send(peer.sealed(ANSWER));
        assertThat(connection.in().readNBytes(ANSWER.length)).isEqualTo(ANSWER);
        scene.release(connection);
        exchange();
    }

    @Test
    void aTicketIsNoFirstByteOfAnAnswer() throws Exception {
        peer.send(peer.tickets());
        connection.out().write(1);
        assertThat(peer.read(1)).containsExactly(1);
        FutureTask<Long> waiting = new FutureTask<>(() -> connection.awaitAnswer());
        Thread thread = Thread.ofVirtual().start(waiting);
        untilWaiting(thread);
        long before = Ticker.SYSTEM.nanos();
        peer.send(peer.sealed(ANSWER));
        assertThat(waiting.get() - before).isPositive();
        assertThat(connection.in().readNBytes(ANSWER.length)).isEqualTo(ANSWER);
        scene.release(connection);
        exchange();
    }

    @Test
    void aCloseAlertEndsAnIdleOneAtOnce() throws Exception {
        scene.release(connection);
        // No FIN follows.
        peer.send(peer.closing());
        until(connection::isClosed);
        until(() -> scene.count("found_closed") == 1);
        assertThat(scene.count("idle")).isZero();
    }

    @Test
    void aCloseAlertBehindTheAnswerEndsItToo() throws Exception {
        connection.out().write(1);
        peer.send(peer.sealed(ANSWER));
        peer.send(peer.closing());
        assertThat(connection.in().readNBytes(ANSWER.length)).isEqualTo(ANSWER);
        assertThat(connection.in().read()).isEqualTo(-1);
        scene.release(connection);
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void dataOutOfTurnEndsIt() throws Exception {
        scene.release(connection);
        peer.send(peer.sealed(ANSWER));
        until(connection::isClosed);
    }

    @Test
    void dataThatNobodyReadEndsIt() throws Exception {
        peer.send(peer.sealed(ANSWER));
        connection.awaitAnswer();
        assertThat(connection.in().read()).isEqualTo(ANSWER[0]);
        scene.release(connection);
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void damagedBytesEndThatOneAndNoOther() throws Exception {
        scene.release(connection);
        Connection damaged = connection;
        TlsEnd source = peer;
        assertThat(scene.lease()).isSameAs(damaged);
        connect("TLSv1.3");
        scene.release(damaged);
        scene.release(connection);
        byte[] noise = new byte[1_000];
        new Random(1).nextBytes(noise);
        source.send(noise);
        until(damaged::isClosed);
        exchange();
    }

    @Test
    void aKeyUpdateThatWantsOneBackIsAnsweredByWhoReads() throws Exception {
        peer.send(peer.tickets());
        peer.send(peer.keyUpdate());
        exchange(new byte[] {1}, ANSWER);
        scene.release(connection);
        exchange();
    }

    @Test
    void aKeyUpdateThatWantsOneBackEndsAnIdleOne() throws Exception {
        scene.release(connection);
        peer.send(peer.tickets());
        peer.send(peer.keyUpdate());
        until(connection::isClosed);
    }

    @Test
    void anEndOfTcpIsNoEndOfAnAnswer() throws Exception {
        peer.send(peer.sealed(ANSWER));
        peer.socket().shutdownOutput();
        InputStream in = connection.in();
        assertThat(in.readNBytes(ANSWER.length)).isEqualTo(ANSWER);
        assertThatThrownBy(in::read)
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("without a TLS close_notify");
        scene.discard(connection);
    }

    @Test
    void bigMessagesGoBothWays() throws Exception {
        byte[] big = new byte[5_000_000];
        new Random(5).nextBytes(big);
        FutureTask<byte[]> reading = new FutureTask<>(() -> peer.read(big.length));
        Thread.ofVirtual().start(reading);
        connection.out().write(big);
        assertThat(reading.get()).isEqualTo(big);
        FutureTask<Void> writing = new FutureTask<>(() -> {
            peer.send(peer.sealed(big));
            return null;
        });
        Thread.ofVirtual().start(writing);
        connection.awaitAnswer();
        assertThat(connection.in().readNBytes(big.length)).isEqualTo(big);
        writing.get();
        scene.release(connection);
        exchange();
    }

    @Test
    void itTalksTls12Too() throws Exception {
        connect("TLSv1.2");
        scene.release(connection);
        exchange();
        exchange();
        peer.send(peer.closing());
        until(connection::isClosed);
    }
}
