package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Setting;
import dev.penstock.kit.ManualTicker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When files are looked at, and what becomes of a look. */
class TlsMaterialTest {
    private static final TestAuthority ONE = TestAuthority.first();
    private static final TestAuthority TWO = TestAuthority.second();
    private static final Duration LOOK = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    /** Begins just before it overflows. */
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 5_000_000_000L);

    private final CaughtLog log = new CaughtLog();
    private final AtomicReference<Instant> now = new AtomicReference<>();
    private Path ca;
    private Path chain;
    private Path key;
    private TlsMaterial material;

    @BeforeEach
    void open() throws Exception {
        now.set(ONE.certificate("client").getNotBefore().toInstant().plusSeconds(3600));
        ca = write("ca.pem", ONE.caPem());
        chain = write("client.pem", ONE.certificatePem("client"));
        key = write("client.key", ONE.keyPem("client"));
        material = Tls.platform().trusting(ca).presenting(chain, key).open(ticker, now::get, log);
    }

    @Test
    void filesThatStayKeepTheContext() throws Exception {
        SSLContext context = material.context();
        assertThat(afterALook()).isSameAs(context);
        Files.setLastModifiedTime(ca, FileTime.from(now.get().plusSeconds(99)));
        write("client.key", ONE.keyPem("client"));
        assertThat(afterALook()).isSameAs(context);
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void filesAreLookedAtNoMoreOftenThanSaid() throws Exception {
        SSLContext context = material.context();
        write("ca.pem", TWO.caPem());
        ticker.advance(LOOK.minusNanos(1));
        assertThat(material.context()).isSameAs(context);
        ticker.advance(Duration.ofNanos(1));
        SSLContext second = material.context();
        assertThat(second).isNotSameAs(context);

        write("ca.pem", ONE.caPem());
        ticker.advance(LOOK.minusNanos(1));
        assertThat(material.context()).isSameAs(second);
        ticker.advance(Duration.ofNanos(1));
        assertThat(material.context()).isNotSameAs(second);
    }

    @Test
    void aChangeIsNoticedThoughTimeAndSizeStay() throws Exception {
        write("ca.pem", padded(ONE.caPem()));
        FileTime time = Files.getLastModifiedTime(ca);
        SSLContext context = afterALook();
        write("ca.pem", padded(TWO.caPem()));
        Files.setLastModifiedTime(ca, time);
        assertThat(afterALook()).isNotSameAs(context);
    }

    private static String padded(String pem) {
        return pem + "\n".repeat(2_000 - pem.length());
    }

    @Test
    void aNewKeyWithItsCertificateMakesANewContext() throws Exception {
        SSLContext context = material.context();
        replace(chain, ONE.certificatePem("rsa"));
        assertThat(afterALook()).isSameAs(context);
        replace(key, ONE.keyPem("rsa"));
        assertThat(afterALook()).isNotSameAs(context);
        assertThat(material.settings().get(1).value()).contains("CN=rsa of first");
        assertThat(log.lines())
                .hasSize(2)
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("WARN TLS: " + key + " contains no RSA key"),
                        line -> assertThat(line)
                                .isEqualTo("INFO TLS: " + chain + ", " + key
                                        + " changed; new connections use the new content"));
    }

    @Test
    void halfWrittenFilesKeepWhatWasThere() throws Exception {
        SSLContext context = material.context();
        String whole = TWO.caPem();
        for (int length : new int[] {0, 5, 40, whole.length() / 2, whole.length() - 3}) {
            write("ca.pem", whole.substring(0, length));
            assertThat(afterALook()).as("%d characters", length).isSameAs(context);
        }
        write("ca.pem", whole);
        assertThat(afterALook()).isNotSameAs(context);
    }

    @Test
    void troubleIsLoggedOnceAndShownUntilItEnds() throws Exception {
        SSLContext context = material.context();
        Files.delete(key);
        for (int i = 0; i < 3; i++) {
            assertThat(afterALook()).isSameAs(context);
        }
        assertThat(log.lines())
                .containsExactly("WARN TLS: " + key
                        + " does not exist: check the path, and whether the program that writes it has run;"
                        + " the previously loaded content stays in use");
        Setting look = material.settings().get(2);
        assertThat(look.name()).isEqualTo("tls.look");
        assertThat(look.reason()).startsWith("at the last check " + key + " does not exist");

        write("client.key", ONE.keyPem("client"));
        assertThat(afterALook()).isSameAs(context);
        assertThat(log.lines())
                .hasSize(2)
                .last()
                .isEqualTo("INFO TLS: the files have their previous content again, which is still in use");
        assertThat(material.settings().get(2).reason()).doesNotContain("not there");
    }

    @Test
    void aPasswordIsAskedForAnewAfterTrouble() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        AtomicReference<String> password = new AtomicReference<>(new String(TestAuthority.PASSWORD));
        Path store = directory.resolve("client.p12");
        Files.write(store, ONE.keyStore("PKCS12", "client"));
        TlsMaterial stored = Tls.platform()
                .presenting(store, () -> {
                    asked.incrementAndGet();
                    return password.get().toCharArray();
                })
                .open(ticker, now::get, log);
        ticker.advance(LOOK);
        SSLContext context = stored.context();
        assertThat(asked).as("not for a file that stayed").hasValue(1);

        password.set("not yet written");
        Files.write(store, ONE.keyStore("PKCS12", "rsa"));
        ticker.advance(LOOK);
        assertThat(stored.context()).isSameAs(context);
        password.set(new String(TestAuthority.PASSWORD));
        ticker.advance(LOOK);
        assertThat(stored.context()).isNotSameAs(context);
    }

    @Test
    void anInterruptedThreadCanLook() throws Exception {
        SSLContext context = material.context();
        write("ca.pem", TWO.caPem());
        ticker.advance(LOOK);
        Thread.currentThread().interrupt();
        try {
            assertThat(material.context()).isNotSameAs(context);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void othersDoNotWaitForTheOneThatLooks() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        Path store = directory.resolve("client.p12");
        Files.write(store, ONE.keyStore("PKCS12", "client"));
        AtomicInteger times = new AtomicInteger();
        TlsMaterial slow = Tls.platform()
                .presenting(store, () -> {
                    if (times.incrementAndGet() == 2) {
                        asked.countDown();
                        await(answer);
                    }
                    return TestAuthority.PASSWORD;
                })
                .open(ticker, now::get, log);
        SSLContext context = slow.context();
        Files.write(store, ONE.keyStore("PKCS12", "rsa"));
        ticker.advance(LOOK);
        Thread looks = Thread.startVirtualThread(slow::context);
        await(asked);
        ticker.advance(LOOK);
        assertThat(slow.context()).isSameAs(context);
        answer.countDown();
        looks.join();
        assertThat(slow.context()).isNotSameAs(context);
        assertThat(times).hasValue(2);
    }

    @Test
    void aCertificateThatIsNotValidIsWarnedOfOnce() throws Exception {
        Instant from = ONE.certificate("client").getNotBefore().toInstant();
        Instant until = ONE.certificate("client").getNotAfter().toInstant();
        now.set(from.minusSeconds(1));
        Tls.platform().presenting(chain, key).open(ticker, now::get, log);
        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("WARN TLS: client certificate not yet valid: CN=client of first from " + chain
                        + " is valid from " + from);

        now.set(until.minus(Duration.ofDays(21)));
        afterALook();
        assertThat(log.lines()).hasSize(1);
        now.set(until.minus(Duration.ofDays(20)));
        afterALook();
        now.set(until);
        afterALook();
        assertThat(log.lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("WARN TLS: client certificate expires soon: CN=client of first from " + chain
                        + " is valid until " + until);
        assertThat(material.warnings()).hasSize(1);
        now.set(until.plusSeconds(1));
        afterALook();
        afterALook();
        assertThat(log.lines())
                .hasSize(3)
                .last()
                .asString()
                .startsWith("WARN TLS: client certificate expired: CN=client of first from " + chain
                        + " was valid until " + until);
    }

    @Test
    void settingsTellWhatIsPresentedUntilWhenAndSinceWhen() throws Exception {
        Setting certificate = material.settings().get(1);
        assertThat(certificate.name()).isEqualTo("tls.certificate");
        assertThat(certificate.value()).isEqualTo("CN=client of first from " + chain);
        assertThat(certificate.reason())
                .contains("until " + ONE.certificate("client").getNotAfter().toInstant());
        assertThat(certificate.origin()).isEqualTo(Setting.Origin.GIVEN);
        assertThat(certificate.since()).isEqualTo(now.get());

        Instant later = now.get().plusSeconds(60);
        now.set(later);
        write("ca.pem", TWO.caPem());
        afterALook();
        assertThat(material.settings().getFirst().since()).isEqualTo(later);
        assertThat(material.settings().getFirst().reason()).contains("CN=ca of second");
    }

    private SSLContext afterALook() {
        ticker.advance(LOOK);
        return material.context();
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }

    /** As a careful writer does it. */
    private void replace(Path file, String text) throws Exception {
        Path fresh = Files.writeString(directory.resolve("fresh"), text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
