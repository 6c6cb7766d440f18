package dev.penstock.gateway.config;

import dev.penstock.http.tls.ServerTls;
import dev.penstock.http.tls.ServerTls.ClientAuth;
import dev.penstock.http.tls.Tls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a listener: the key {@code tls} of an HTTP source and of the admin server. All files existed and were valid when the flow
 * file was read.
 *
 * @param location where it is in the file
 * @param tls the files, and how they are used
 * @param verifiesClients whether clients may present a certificate
 * @param warnings of certificates that are not valid, or not for long, a line each
 */
public record ListenerTls(FileLocation location, ServerTls tls, boolean verifiesClients, List<String> warnings) {
    /** How to write it, for messages. */
    public static final String EXAMPLE = "tls: { certificate: server.pem, key: server.key }";

    private static final int MOST = 64;
    private static final Schema KEYS = Schema.of("tls", EXAMPLE);
    private static final Key<List<Path>> CERTIFICATE = KEYS.key(
                    "certificate",
                    FilePath.TYPE.orList(MOST),
                    "the certificate of this server, with its chain (PEM); of several, clients get the one for the name that they ask for, else the first")
            .alias("cert chain certificates");
    private static final Key<List<Path>> PRIVATE_KEY = KEYS.key(
                    "key", FilePath.PRIVATE.orList(MOST), "the private key of each certificate (PEM, PKCS8)")
            .alias("private_key keys");
    private static final Key<List<Path>> KEY_STORE = KEYS.key(
            "key_store",
            FilePath.PRIVATE.orList(MOST),
            "a PKCS12 or JKS file with key and certificate, in place of the two; or several");
    private static final Key<Secret> PASSWORD =
            KEYS.key("password", KeyType.secret(), "the password of the keys or key stores");
    private static final Key<Path> CLIENT_CA = KEYS.key(
                    "client_ca",
                    FilePath.TYPE,
                    "the certificates that have issued those of clients: PEM, PKCS12 or JKS")
            .without("clients have no certificates")
            .alias("ca trust");
    private static final Key<ClientAuth> CLIENT_AUTH = KEYS.key(
                    "client_auth",
                    KeyType.oneOf(ClientAuth.class),
                    "whether every client must have a certificate (need), or may (want)")
            .or(ClientAuth.NEED);
    private static final Key<List<String>> PROTOCOLS = KEYS.key(
                    "protocols",
                    KeyType.oneOf(ServerTls.PROTOCOLS).orList(ServerTls.PROTOCOLS.size()),
                    "the versions of TLS")
            .or(ServerTls.PROTOCOLS)
            .alias("versions");

    /** The key {@code tls} of a listener. */
    public static final Key<ListenerTls> KEY = Key.of(
                    "tls", KeyType.mapping(KEYS, ListenerTls::read), "the certificate of this server, for HTTPS")
            .without("cleartext, for clients on this machine only")
            .alias("ssl https");

    /** The key {@code insecure} of a listener. */
    public static final Key<Boolean> INSECURE = Key.of(
                    "insecure", KeyType.bool(), "whether other machines may connect without TLS")
            .or(false)
            .excludes(KEY, "is true, but 'tls' is given", "remove one of the two");

    private static @Nullable ListenerTls read(ConfigValue value) {
        ConfigMapping given = value.mapping(KEYS);
        if (given == null) {
            return null;
        }
        ConfigProblems problems = value.problems();
        int before = problems.count();
        if (!given.has(CERTIFICATE) && !given.has(PRIVATE_KEY) && !given.has(KEY_STORE)) {
            value.refuse("has no certificate", "add certificate: PATH and key: PATH, or key_store: PATH");
        }
        boolean complete = CertificateFiles.isComplete(
                given.written(CERTIFICATE),
                given.written(PRIVATE_KEY),
                given.written(KEY_STORE),
                given.written(PASSWORD));
        List<Tls> certificates = certificates(given);
        Path clients = given.valueOf(CLIENT_CA);
        ClientAuth auth = given.get(CLIENT_AUTH).value();
        List<String> protocols = given.get(PROTOCOLS).value();
        if (!given.has(CLIENT_CA)) {
            given.refuse(CLIENT_AUTH, "is given without 'client_ca'", "add client_ca: PATH, or remove it");
        }
        return complete && problems.count() == before ? opened(value, certificates, clients, auth, protocols) : null;
    }

    private static List<Tls> certificates(ConfigMapping given) {
        List<Path> chains = given.valueOf(CERTIFICATE);
        List<Path> keys = given.valueOf(PRIVATE_KEY);
        List<Path> stores = given.valueOf(KEY_STORE);
        Secret password = given.valueOf(PASSWORD);
        Supplier<char[]> characters =
                password == null ? null : () -> password.get().toCharArray();
        List<Tls> all = new ArrayList<>();
        if (chains != null && keys != null && chains.size() != keys.size()) {
            String counts = "has " + keys.size() + " files for " + chains.size() + " certificates";
            given.refuse(PRIVATE_KEY, counts, "write the key of each certificate, in the same order");
        } else if (chains != null && keys != null) {
            for (int i = 0; i < chains.size(); i++) {
                all.add(pem(chains.get(i), keys.get(i), characters));
            }
        } else if (stores != null && characters != null) {
            stores.forEach(store -> all.add(Tls.platform().presenting(store, characters)));
        }
        return all;
    }

    private static Tls pem(Path chain, Path key, @Nullable Supplier<char[]> password) {
        return password == null
                ? Tls.platform().presenting(chain, key)
                : Tls.platform().presenting(chain, key, password);
    }

    /** Reads the files as the listener will, to report an unusable one now. Does not keep their contents. */
    private static @Nullable ListenerTls opened(
            ConfigValue value,
            List<Tls> certificates,
            @Nullable Path clients,
            ClientAuth auth,
            List<String> protocols) {
        try {
            ServerTls own = ServerTls.of(certificates).protocols(protocols);
            ServerTls tls = clients == null ? own : own.clients(clients, auth);
            return new ListenerTls(
                    value.location(), tls, clients != null, tls.open().warnings());
        } catch (IllegalArgumentException unusable) {
            value.refuse("cannot be used", String.valueOf(unusable.getMessage()));
            return null;
        }
    }
}
