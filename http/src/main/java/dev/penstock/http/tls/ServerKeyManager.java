package dev.penstock.http.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the certificate of a server by the name that the client asks for. The alias of a certificate is its index.
 *
 * <p>The JDK asks for one type of key after another, as the client prefers them. So the name is compared first: a certificate for
 * another name is never chosen because the client prefers the type of its key.
 */
final class ServerKeyManager extends X509ExtendedKeyManager {
    private final List<Identity> identities;

    ServerKeyManager(List<Identity> identities) {
        this.identities = identities;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String type, Principal @Nullable [] authorities, @Nullable SSLEngine to) {
        return alias(type, to == null ? null : requested(to));
    }

    private static @Nullable String requested(SSLEngine to) {
        return to.getHandshakeSession() instanceof ExtendedSSLSession session
                ? session.getRequestedServerNames().stream()
                        .filter(SNIHostName.class::isInstance)
                        .map(name -> ((SNIHostName) name).getAsciiName())
                        .findFirst()
                        .orElse(null)
                : null;
    }

    @Nullable
    String alias(String type, @Nullable String name) {
        Predicate<Identity> fits = name == null ? identity -> false : identity -> identity.isFor(name);
        if (name != null && identities.stream().noneMatch(fits)) {
            int dot = name.indexOf('.');
            String wildcard = "*" + name.substring(Math.max(0, dot));
            fits = identity -> dot > 0 && identity.isFor(wildcard);
        }
        if (identities.stream().noneMatch(fits)) {
            // With one key of each type, the first certificate is several.
            List<String> names = identities.getFirst().names();
            fits = identity -> identity.names().equals(names);
        }
        Predicate<Identity> chosen =
                fits.and(identity -> identity.key().getAlgorithm().equals(type));
        return IntStream.range(0, identities.size())
                .filter(i -> chosen.test(identities.get(i)))
                .mapToObj(Integer::toString)
                .findFirst()
                .orElse(null);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return of(alias).chain().toArray(new X509Certificate[0]);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return of(alias).key();
    }

    private Identity of(String alias) {
        return identities.get(Integer.parseInt(alias));
    }

    @Override
    public String[] getServerAliases(String type, Principal @Nullable [] authorities) {
        return IntStream.range(0, identities.size())
                .mapToObj(Integer::toString)
                .filter(alias -> Objects.equals(of(alias).key().getAlgorithm(), type))
                .toArray(String[]::new);
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal @Nullable [] authorities, @Nullable Socket to) {
        return alias(type, null);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] authorities) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal @Nullable [] authorities, @Nullable Socket to) {
        return null;
    }
}
