package dev.penstock.gateway.file;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.GatewayConfig.BrokerConfig;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.ListenerTls;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.StoreConfig;
import dev.penstock.gateway.config.TelemetryConfig;
import dev.penstock.gateway.config.TransactionsConfig;
import dev.penstock.gateway.transport.Transports;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of a flow file: the flows and what they share. */
final class FlowFileReader {
    private static final Schema ADMIN_KEYS = Schema.of("admin", "admin: { port: 9090 }");
    private static final Key<Integer> ADMIN_PORT = Addresses.port(ADMIN_KEYS, "port: 9090");
    private static final Key<String> ADMIN_HOST = Addresses.host(ADMIN_KEYS);
    private static final Key<List<String>> ADMIN_HOSTS = Addresses.hosts(
                    ADMIN_KEYS, "further hosts in URLs of the admin pages; for others they answer 403")
            .without("this machine, and the host to listen on");
    private static final String TOKEN_FORM = "16 to 512 letters, digits and -._~+/=";
    private static final KeyType<Secret> TOKEN_TYPE = KeyType.secret(TOKEN_FORM, FlowFileReader::token);
    private static final Key<Secret> TOKEN_KEY = ADMIN_KEYS
            .key(
                    "token",
                    TOKEN_TYPE,
                    "what everybody must send to look and to pin settings, except for /health and /ready")
            .without("this machine may, and no other")
            .alias("password secret");
    private static final Key<Secret> VIEW_TOKEN = ADMIN_KEYS
            .key("view_token", TOKEN_TYPE, "lets those who send it look, and not pin")
            .without("only the token lets anybody look");
    private static final Key<Path> AUDIT = ADMIN_KEYS
            .key(
                    "audit",
                    KeyType.text("a file", FlowFileReader::path),
                    "gets a line of JSON for each change of a setting")
            .without("changes are in the log only");

    static {
        ADMIN_KEYS.with(List.of(ListenerTls.KEY, ListenerTls.INSECURE));
    }

    private static final Key<AdminConfig> ADMIN = Key.of(
                    "admin",
                    KeyType.keys(ADMIN_KEYS, FlowFileReader::admin),
                    "the admin server: dashboard, metrics, health and pins")
            .without("none")
            .alias("metrics dashboard");

    private static final Schema BROKER_KEYS = Schema.of("broker", "broker: { port: 61616 }");
    private static final Key<Integer> BROKER_PORT = Addresses.port(BROKER_KEYS, "port: 61616");
    private static final Key<String> BROKER_HOST = Addresses.host(BROKER_KEYS).alias("address bind");
    private static final Key<String> BROKER_USER = BROKER_KEYS
            .key(
                    "user",
                    KeyType.text("1 character or more", FlowFileReader::notEmpty),
                    "the user that every client needs")
            .alias("username login");
    private static final Key<Secret> BROKER_PASSWORD = BROKER_KEYS
            .key(
                    "password",
                    KeyType.secret("1 character or more", FlowFileReader::password),
                    "the password of that user")
            .alias("secret");
    private static final Key<BrokerConfig> BROKER = Key.of(
                    "broker",
                    KeyType.keys(BROKER_KEYS, FlowFileReader::broker),
                    "the port of the embedded broker, for other processes")
            .without("none: only flows of this gateway use it")
            .alias("jms");

    private static final Key<Long> MEMORY = Key.of(
                    "memory",
                    KeyType.size("1MB", "1024GB"),
                    "the budget for bodies and answers in memory, of all flows together")
            .auto("a quarter of the heap");
    private static final Key<Path> STATE = Key.of(
                    "state",
                    KeyType.text("a path", FlowFileReader::path),
                    "the file of learned values; keys and messages are beside it")
            .without(GatewayConfig.DEFAULT_STATE + ", beside the flow file");

    private static final String NOT_EMPTY = "write 1 character or more, or leave user and password out";
    private static final Pattern FLOW_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{16,512}");

    /** Keys of what a program that embeds flows has by itself. */
    private static final Set<String> OF_GATEWAY = Set.of("admin", "broker", "reload", "telemetry", "transactions");

    private final Transports transports;
    private final FlowReader reader;
    private final Key<List<FlowConfig>> flows;
    private final Schema schema;

    FlowFileReader(Transports transports) {
        this(transports, false);
    }

    /** @param embedded whether only the program that embeds the flows calls them, so that a flow has no source */
    FlowFileReader(Transports transports, boolean embedded) {
        this.transports = transports;
        this.reader = new FlowReader(transports, embedded);
        String example = FlowReader.EXAMPLE;
        Schema named = Schema.named("flows", example, reader.type());
        this.flows = Key.of(
                        "flows", KeyType.mapping(named, value -> flows(value, named)), "the flows, each with a name")
                .alias("flow");
        if (!embedded) {
            flows.required("flows: { " + example + " }");
        }
        List<Key<?>> keys = List.of(
                flows,
                ADMIN,
                BROKER,
                PoolConfig.TOTAL_KEY,
                MEMORY,
                GatewayConfig.SHUTDOWN,
                GatewayConfig.RELOAD,
                STATE,
                StoreConfig.KEY,
                TelemetryConfig.KEY,
                TransactionsConfig.KEY);
        this.schema = Schema.of(embedded ? "penstock" : "the file", "flows:")
                .with(keys.stream()
                        .filter(key -> !(embedded && OF_GATEWAY.contains(key.name())))
                        .toList());
    }

    /** The keys of a flow file. */
    Schema schema() {
        return schema;
    }

    /** The configuration. Complete only if no problem was reported. */
    GatewayConfig read(ConfigMapping top) {
        List<FlowConfig> read = top.valueOf(flows);
        AdminConfig admin = top.valueOf(ADMIN);
        BrokerConfig broker = top.valueOf(BROKER);
        Configured<Integer> total = top.valueOf(PoolConfig.TOTAL_KEY);
        Configured<Long> memory = top.find(MEMORY);
        Configured<Duration> drain = top.valueOf(GatewayConfig.SHUTDOWN);
        Boolean proves = top.valueOf(GatewayConfig.RELOAD);
        Configured<Path> state = top.find(STATE);
        GatewayConfig config = new GatewayConfig(
                read == null ? List.of() : read,
                admin,
                broker,
                total,
                memory,
                drain == null ? Configured.byDefault(GatewayConfig.DRAIN.fallback()) : drain,
                state == null ? Configured.byDefault(top.folder().resolve(GatewayConfig.DEFAULT_STATE)) : state,
                top.get(StoreConfig.KEY),
                top.valueOf(TelemetryConfig.KEY),
                top.valueOf(TransactionsConfig.KEY),
                !Boolean.FALSE.equals(proves),
                top.files());
        CrossFieldRules.check(config, false, transports, top.problems());
        return config;
    }

    private @Nullable List<FlowConfig> flows(ConfigValue value, Schema named) {
        ConfigMapping given = value.unnamed(named);
        if (given == null) {
            return null;
        }
        if (given.values().isEmpty()) {
            given.refuse("'flows' is empty; add for instance " + FlowReader.EXAMPLE);
        }
        List<FlowConfig> flows = new ArrayList<>();
        for (ConfigValue flow : given.values()) {
            FlowConfig read = checkedName(flow) ? reader.read(flow) : null;
            if (read != null) {
                flows.add(read);
            }
        }
        reader.checkSources();
        return flows;
    }

    private static boolean checkedName(ConfigValue flow) {
        boolean fits = FLOW_NAME.matcher(flow.key()).matches();
        if (!fits) {
            flow.refuseKey("'" + Quoted.plain(flow.key())
                    + "' is not a valid flow name; write a letter, then letters, digits, - or _, at most 64");
        }
        return fits;
    }

    private static @Nullable AdminConfig admin(ConfigMapping admin) {
        Configured<Integer> port = admin.find(ADMIN_PORT);
        List<String> hosts = admin.valueOf(ADMIN_HOSTS);
        ListenerTls tls = admin.valueOf(ListenerTls.KEY);
        boolean insecure = admin.get(ListenerTls.INSECURE).value();
        return port == null
                ? null
                : new AdminConfig(
                        admin.get(ADMIN_HOST),
                        hosts == null ? List.of() : hosts,
                        port,
                        tls,
                        insecure,
                        admin.find(TOKEN_KEY),
                        admin.find(VIEW_TOKEN),
                        admin.valueOf(AUDIT));
    }

    /** Long enough not to be guessed, and only characters that a header field allows. */
    private static @Nullable Secret token(ConfigValue value) {
        return value.secret(
                TOKEN.asMatchPredicate(),
                "must be " + TOKEN_FORM,
                "write for instance token: \"${file:/run/secrets/admin}\"");
    }

    private static @Nullable BrokerConfig broker(ConfigMapping broker) {
        Configured<Integer> port = broker.find(BROKER_PORT);
        return port == null ? null : new BrokerConfig(broker.start(), broker.get(BROKER_HOST), port, login(broker));
    }

    private static BrokerConfig.@Nullable Login login(ConfigMapping broker) {
        Configured<String> user = broker.find(BROKER_USER);
        Configured<Secret> password = broker.find(BROKER_PASSWORD);
        if (user != null && !broker.has(BROKER_PASSWORD)) {
            broker.refuse("broker has a 'user' and no 'password'; add " + BrokerConfig.PASSWORD_EXAMPLE);
        } else if (password != null && !broker.has(BROKER_USER)) {
            broker.refuse("broker has a 'password' and no 'user'; add for instance user: penstock");
        }
        return user == null || password == null ? null : new BrokerConfig.Login(user.value(), password.value());
    }

    private static @Nullable String notEmpty(ConfigValue value) {
        return value.notEmpty(String::isEmpty, NOT_EMPTY);
    }

    private static @Nullable Secret password(ConfigValue value) {
        return value.secret(text -> !text.isEmpty(), "is empty", NOT_EMPTY);
    }

    private static @Nullable Path path(ConfigValue value) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        try {
            Path path = value.folder().resolve(written).normalize();
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                value.refuseValue(
                        "which is not a regular file",
                        "write a path where a file can be created, for instance ./penstock-state");
                return null;
            }
            Path folder = path.toAbsolutePath().getParent();
            while (folder != null && !Files.exists(folder)) {
                folder = folder.getParent();
            }
            if (folder != null && !Files.isDirectory(folder)) {
                value.refuseValue("but " + folder + " is not a folder", "write for instance ./penstock-state");
                return null;
            }
            return path;
        } catch (InvalidPathException none) {
            value.refuseValue("which is not a path", "write for instance ./penstock-state");
            return null;
        }
    }
}
