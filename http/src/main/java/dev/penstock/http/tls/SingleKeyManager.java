package dev.penstock.http.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Presents one certificate to every target that requests a client certificate.
 *
 * <h2>Design note</h2>
 *
 * <p>The JDK's key manager silently presents no certificate if none of the authorities that the server lists is in the chain;
 * the server then ends the handshake with an alert without a cause. Servers often list only roots, whose intermediates they
 * know, or the wrong authorities. A certificate configured for this target should be presented, so it always is, as with curl
 * and OpenSSL; the server decides.
 */
final class SingleKeyManager extends X509ExtendedKeyManager {
    private static final String ALIAS = "client";

    private final Identity identity;

    SingleKeyManager(Identity identity) {
        this.identity = identity;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] authorities, @Nullable Socket to) {
        return choose(types);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] types, Principal @Nullable [] authorities, @Nullable SSLEngine to) {
        return choose(types);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] authorities) {
        return choose(type) == null ? null : new String[] {ALIAS};
    }

    private @Nullable String choose(String... types) {
        return List.of(types).contains(identity.key().getAlgorithm()) ? ALIAS : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        return alias.equals(ALIAS) ? identity.chain().toArray(new X509Certificate[0]) : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        return alias.equals(ALIAS) ? identity.key() : null;
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] authorities) {
        return null;
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] authorities, @Nullable Socket to) {
        return null;
    }
}
