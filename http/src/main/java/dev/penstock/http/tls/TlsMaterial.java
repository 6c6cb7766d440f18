package dev.penstock.http.tls;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The keys and certificates in use, created by {@link Tls#open} and {@link ServerTls#open}. Provides the TLS context for each new connection. Thread-safe;
 * has no thread and need not be closed.
 *
 * <h2>Design note</h2>
 *
 * <p>Files are checked when a context is requested and the last check is long enough ago. One thread checks them while others
 * use the current context, so a slow disk delays one connection, not all. While files are replaced one after another, they may
 * be incomplete, missing, or not match. Then the previously loaded content stays in use, and the next check retries. PEM files
 * are accepted at block boundaries, so a bundle that is written in place may be loaded without its end for one check; to avoid
 * that, rename a complete file into place.
 *
 * <p>A context caches sessions and tickets, so it is kept while nothing changes, and replaced completely on any change: a
 * session created with the old trust or key must not be resumed. Open connections are not closed; compare contexts by identity
 * to find those opened before the change.
 */
public final class TlsMaterial {
    private static final String IN_USE = "; the previously loaded content stays in use";

    private final TlsFiles tls;
    private final List<Path> files;
    private final Ticker ticker;
    private final InstantSource wallClock;
    private final Logger log;
    private final long interval;
    private final ReentrantLock checking = new ReentrantLock();
    private volatile long checkedAt;
    private volatile LoadedTls loaded;
    /** Why the files could not be loaded at the last check; null if they could. */
    private volatile @Nullable String problem;

    /** What was wrong with dates at the last check; guarded by the lock. */
    private List<String> logged = List.of();

    TlsMaterial(TlsFiles tls, Ticker ticker, InstantSource wallClock, Logger log) {
        this.tls = tls;
        this.files = tls.files();
        this.ticker = ticker;
        this.wallClock = wallClock;
        this.log = log;
        this.interval = Durations.nanos(TlsFiles.CHECK_INTERVAL);
        this.checkedAt = ticker.nanos();
        this.loaded = tls.load(FileContents.read(files), wallClock.instant());
        warnOfDates();
    }

    /**
     * Returns the context for a new connection: the same one while the files are unchanged. Checks the files if that is due;
     * never throws, and blocks only while reading them.
     */
    public SSLContext context() {
        if (due() && checking.tryLock()) {
            try {
                if (due()) {
                    checkFiles();
                }
            } finally {
                checking.unlock();
            }
        }
        return loaded.context();
    }

    private boolean due() {
        return !files.isEmpty() && ticker.nanos() - checkedAt >= interval;
    }

    private void checkFiles() {
        checkedAt = ticker.nanos();
        try {
            FileContents contents = FileContents.read(files);
            Map<Path, String> digests = contents.digests();
            if (digests.equals(loaded.digests())) {
                sameAsBefore();
            } else {
                exchange(tls.load(contents, wallClock.instant()), digests);
            }
        } catch (RuntimeException e) {
            keep(e);
        }
        warnOfDates();
    }

    private void sameAsBefore() {
        if (problem != null) {
            problem = null;
            log.info("TLS: the files have their previous content again, which is still in use");
        }
    }

    private void exchange(LoadedTls fresh, Map<Path, String> digests) {
        Map<Path, String> before = loaded.digests();
        loaded = fresh;
        problem = null;
        logged = List.of();
        String changed = digests.entrySet().stream()
                .filter(file -> !file.getValue().equals(before.get(file.getKey())))
                .map(file -> FileProblem.oneLine(file.getKey().toString()))
                .collect(Collectors.joining(", "));
        log.info("TLS: {} changed; new connections use the new content", changed);
    }

    /** Logs each problem once, not at every check. */
    private void keep(RuntimeException e) {
        String found = FileProblem.line(e);
        if (!found.equals(problem)) {
            problem = found;
            log.warn("TLS: {}{}", found, IN_USE);
        }
    }

    private void warnOfDates() {
        List<String> now = warningsOfDates();
        now.stream().filter(line -> !logged.contains(line)).forEach(line -> log.warn("TLS: {}", line));
        logged = now;
    }

    private List<String> warningsOfDates() {
        Instant now = wallClock.instant();
        return loaded.identities().stream()
                .map(identity -> identity.warning(now, tls.own(), tls.peers()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** What is wrong with the files now, a line each: one that cannot be used, a certificate that ends within 21 days. */
    public List<String> warnings() {
        String found = problem;
        return Stream.concat(found == null ? Stream.of() : Stream.of(found + IN_USE), warningsOfDates().stream())
                .toList();
    }

    /** What a new connection needs beside the context: versions of TLS, and whether clients present a certificate. */
    public SSLParameters parameters() {
        return tls.parameters();
    }

    /** The certificates of this process that are in use. */
    public List<OwnCertificate> certificates() {
        return loaded.identities().stream()
                .map(identity -> new OwnCertificate(identity.subject(), identity.file(), identity.validUntil()))
                .toList();
    }

    /**
     * A certificate of this process.
     *
     * @param subject its subject
     * @param file where it was read
     * @param until when it expires
     */
    public record OwnCertificate(String subject, Path file, Instant until) {}

    /**
     * The trusted certificates and the certificates of this process in use, with their files and validity, and how often files are
     * checked: {@code tls.trust}, {@code tls.certificate}, {@code tls.look}; pinned keys, if any: {@code tls.pin}.
     */
    public List<Setting> settings() {
        LoadedTls now = loaded;
        List<Setting> settings = new ArrayList<>();
        TrustAnchors trust = now.trust();
        if (trust != null) {
            settings.add(trust.setting(now.at()));
        }
        settings.add(certificate(now));
        settings.add(checkInterval(now.at()));
        if (!tls.pins().isEmpty()) {
            settings.add(new Setting(
                    "tls.pin",
                    String.join(", ", tls.pins()),
                    "sha256/BASE64",
                    "given; a server with another public key is refused",
                    now.at(),
                    Origin.GIVEN));
        }
        return List.copyOf(settings);
    }

    /** As above, with a prefix of the names, for instance {@code source.}. */
    public List<Setting> settings(String prefix) {
        return settings().stream()
                .map(own -> new Setting(
                        prefix + own.name(), own.value(), own.range(), own.reason(), own.since(), own.origin()))
                .toList();
    }

    private static Setting certificate(LoadedTls now) {
        List<Identity> own = now.identities();
        return new Setting(
                "tls.certificate",
                own.isEmpty() ? "none" : own.stream().map(Identity::toString).collect(Collectors.joining(", ")),
                "none, or PEM, PKCS12 and JKS files",
                own.isEmpty()
                        ? "none was given; a target that requires one refuses"
                        : own.stream()
                                .map(one -> "valid from " + one.validFrom() + " until " + one.validUntil())
                                .collect(Collectors.joining("; ", "given; ", "")),
                now.at(),
                own.isEmpty() ? Origin.DEFAULT : Origin.GIVEN);
    }

    private Setting checkInterval(Instant since) {
        String found = problem;
        return new Setting(
                "tls.look",
                files.isEmpty() ? "never" : Durations.format(interval),
                "1 s..1 h",
                files.isEmpty()
                        ? "no files to check"
                        : found == null
                                ? "changed files are used for new connections within that time"
                                : "at the last check " + found + IN_USE,
                since,
                Origin.DEFAULT);
    }

    @Override
    public String toString() {
        return tls.toString();
    }
}
