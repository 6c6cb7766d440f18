package dev.penstock.http.tls;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Ticker;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The keys and certificates in use, made by {@link Tls#open}. Whoever opens connections holds one of these and asks it for
 * the context of each. Safe for many threads; has no thread of its own and nothing to close.
 *
 * <h2>Design note</h2>
 *
 * <p>Files are looked at when somebody asks for a context and the last look is long enough ago. One thread does it, the
 * others take what is there, so that a slow disk delays one connection and not all. Files that are half written, missing
 * or do not belong together are normal while they are exchanged one after the other: what was read before stays in use,
 * and each look tries again. A whole PEM block is the least that is taken, so a bundle that is written in place may for
 * one look be taken without its end; renaming a finished file into place avoids that.
 *
 * <p>A context remembers sessions and tickets, so it is kept as long as nothing changed, and replaced as a whole when
 * anything did: a session that was made under the old trust or the old key must not be resumed. Connections that are open
 * stay as they are; compare contexts by identity to tell which were opened before.
 */
public final class TlsMaterial {
    private static final String IN_USE = "; what was read before stays in use";

    private final Tls tls;
    private final List<Path> files;
    private final Ticker ticker;
    private final InstantSource wallClock;
    private final Logger log;
    private final long interval;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile long lookedAt;
    private volatile LoadedTls loaded;
    /** Why files could not be used at the last look; null when they could. */
    private volatile @Nullable String trouble;

    /** As last warned of; touched by the one that looks only. */
    private Identity.Validity validity = Identity.Validity.VALID;

    TlsMaterial(Tls tls, Ticker ticker, InstantSource wallClock, Logger log) {
        this.tls = tls;
        this.files = tls.files();
        this.ticker = ticker;
        this.wallClock = wallClock;
        this.log = log;
        this.interval = Durations.nanos(tls.look());
        this.lookedAt = ticker.nanos();
        this.loaded = tls.load(FileContents.read(files), wallClock.instant());
        warnOfDates();
    }

    /**
     * The context for a connection that is about to be opened: the same as long as files are the same. Looks at the files
     * when that is due; never throws, and blocks no longer than reading them takes.
     */
    public SSLContext context() {
        if (due() && looking.tryLock()) {
            try {
                if (due()) {
                    look();
                }
            } finally {
                looking.unlock();
            }
        }
        return loaded.context();
    }

    private boolean due() {
        return !files.isEmpty() && ticker.nanos() - lookedAt >= interval;
    }

    private void look() {
        lookedAt = ticker.nanos();
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
        if (trouble != null) {
            trouble = null;
            log.info("TLS: the files are again as they were{}", IN_USE);
        }
    }

    private void exchange(LoadedTls fresh, Map<Path, String> digests) {
        Map<Path, String> before = loaded.digests();
        loaded = fresh;
        trouble = null;
        validity = Identity.Validity.VALID;
        String changed = digests.entrySet().stream()
                .filter(file -> !file.getValue().equals(before.get(file.getKey())))
                .map(file -> FileProblem.oneLine(file.getKey().toString()))
                .collect(Collectors.joining(", "));
        log.info("TLS: {} changed, new connections use what stands there now", changed);
    }

    /** One line for each kind of trouble, not one a look. */
    private void keep(RuntimeException e) {
        String found = FileProblem.line(e);
        if (!found.equals(trouble)) {
            trouble = found;
            log.warn("TLS: {}{}", found, IN_USE);
        }
    }

    private void warnOfDates() {
        Identity identity = loaded.identity();
        if (identity == null) {
            return;
        }
        Identity.Validity now = identity.validityAt(wallClock.instant());
        if (now != validity) {
            validity = now;
            switch (now) {
                case NOT_YET ->
                    log.warn(
                            "TLS: the client certificate {} is not valid before {}: check this machine's clock, or present"
                                    + " another until then",
                            identity,
                            identity.validFrom());
                case EXPIRED ->
                    log.warn(
                            "TLS: the client certificate {} expired at {}: targets will refuse it, write a new one there",
                            identity,
                            identity.validUntil());
                case VALID -> {}
            }
        }
    }

    /**
     * What is trusted and presented now, from where and until when it is valid, and how often files are looked at: {@code
     * tls.trust}, {@code tls.certificate}, {@code tls.look}.
     */
    public List<Setting> settings() {
        LoadedTls now = loaded;
        List<Setting> settings = new ArrayList<>();
        settings.add(now.trust().setting(now.at()));
        settings.add(certificate(now));
        settings.add(look(now.at()));
        return List.copyOf(settings);
    }

    private static Setting certificate(LoadedTls now) {
        Identity identity = now.identity();
        return new Setting(
                "tls.certificate",
                identity == null ? "none" : identity.toString(),
                "none, or PEM, PKCS12 and JKS files",
                identity == null
                        ? "none was given, so a target that demands one refuses"
                        : "given; valid from " + identity.validFrom() + " until " + identity.validUntil(),
                now.at(),
                identity == null ? Origin.DEFAULT : Origin.FILE);
    }

    private Setting look(Instant since) {
        String found = trouble;
        return new Setting(
                "tls.look",
                files.isEmpty() ? "never" : Durations.words(interval),
                "1 s..1 h",
                files.isEmpty()
                        ? "there are no files to look at"
                        : found == null
                                ? "files that change are in use for new connections within that time"
                                : "at the last look " + found + IN_USE,
                since,
                tls.lookIsGiven() ? Origin.FILE : Origin.DEFAULT);
    }

    @Override
    public String toString() {
        return tls.toString();
    }
}
