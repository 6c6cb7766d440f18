package dev.penstock.gateway.callers;

import com.nimbusds.jose.jwk.JWKSet;
import dev.penstock.Ticker;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer at a URL. They are fetched again after five minutes, and when a token names an unknown one, at most every
 * ten seconds. While that fails, the last ones stay in force for an hour. No request waits for it. Thread-safe.
 */
final class RemoteKeys implements Supplier<@Nullable SigningKeys> {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteKeys.class);
    private static final long SECOND = 1_000_000_000;
    private static final int MAX_BYTES = 1 << 20;
    private static final int PATIENCE_MS = 5_000;

    private final URI url;
    private final Ticker ticker;
    private final AtomicBoolean fetching = new AtomicBoolean();
    private volatile long triedAt;
    private volatile long fetchedAt;
    private volatile @Nullable JWKSet set;
    private volatile @Nullable SigningKeys keys;

    /** Begins to fetch the keys. */
    RemoteKeys(URI url, Ticker ticker) {
        this.url = url;
        this.ticker = ticker;
        this.triedAt = ticker.nanos() - 10 * SECOND;
        boolean _ = refresh();
    }

    /** The keys; null while there are none that may be used. */
    @Override
    public @Nullable SigningKeys get() {
        long age = ticker.nanos() - fetchedAt;
        if (keys == null || age >= 300 * SECOND) {
            boolean _ = refresh();
        }
        return age < 3_600 * SECOND ? keys : null;
    }

    /** Begins to fetch the keys, unless that was done a moment ago. Returns whether they are being fetched. */
    boolean refresh() {
        if (ticker.nanos() - triedAt >= 10 * SECOND && fetching.compareAndSet(false, true)) {
            triedAt = ticker.nanos();
            Thread.ofVirtual().name("penstock-jwks").start(this::fetch);
        }
        return fetching.get();
    }

    private void fetch() {
        try {
            JWKSet now = JWKSet.load(url.toURL(), PATIENCE_MS, PATIENCE_MS, MAX_BYTES);
            // Equal keys stay the same object, so that tokens that they verified stay known.
            if (!now.equals(set)) {
                keys = SigningKeys.of(now);
                set = now;
            }
            fetchedAt = ticker.nanos();
        } catch (IOException | ParseException | RuntimeException failed) {
            LOG.warn(
                    "the keys at {} cannot be used; check the URL: {}",
                    url.getHost() + url.getPath(),
                    failed.toString());
        } finally {
            fetching.set(false);
        }
    }
}
