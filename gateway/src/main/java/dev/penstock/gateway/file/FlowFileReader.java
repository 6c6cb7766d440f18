package dev.penstock.gateway.file;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.GatewayConfig.BrokerConfig;
import dev.penstock.gateway.config.Keys;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.transport.Transports;
import dev.penstock.text.Durations;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a flow file: the flows and the settings they share. */
final class FlowFileReader {
    static final String FLOW_EXAMPLE =
            "payments: { from: { http: { port: 8080, path: /v1/payments } }, to: { http: { url: \"https://gateway.example/v1\" } } }";

    static final Keys TOP = Keys.of(
            "the file",
            "flows (flow), admin (metrics dashboard), broker (jms), pool (connections), memory, "
                    + "shutdown (drain), state");
    private static final Keys ADMIN = Keys.of("admin", "port, host, token (password secret)");
    private static final Keys BROKER =
            Keys.of("broker", "port, host (address bind), user (username login), password (secret)");
    private static final Keys SHUTDOWN = Keys.of("shutdown", "drain (timeout time)");
    private static final Pattern FLOW_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{16,512}");

    private final ConfigMapping top;
    private final Transports transports;

    FlowFileReader(ConfigMapping top, Transports transports) {
        this.top = top;
        this.transports = transports;
    }

    /** The configuration. Complete only if no problem was reported. */
    GatewayConfig read() {
        List<FlowConfig> flows = flows(top.required("flows", "flows: { " + FLOW_EXAMPLE + " }"));
        AdminConfig admin = admin(top.get("admin"));
        Configured<Integer> total = PoolConfig.total(top.get("pool"));
        Configured<Long> memory = top.unlessAuto("memory", size -> size.size("1MB", "1024GB"));
        GatewayConfig config = new GatewayConfig(
                flows,
                admin,
                broker(top.get("broker")),
                total,
                memory,
                drain(top.get("shutdown")),
                state(top.get("state")));
        new CrossFieldChecks(top.problems()).between(config, transports);
        return config;
    }

    private List<FlowConfig> flows(@Nullable ConfigValue value) {
        List<FlowConfig> flows = new ArrayList<>();
        ConfigMapping named = value == null ? null : value.unnamed(Keys.any("flows"), FLOW_EXAMPLE);
        if (named != null && named.values().isEmpty()) {
            named.refuse("'flows' is empty; add for instance " + FLOW_EXAMPLE);
        }
        if (named != null) {
            FlowReader reader = new FlowReader(transports);
            for (ConfigValue flow : named.values()) {
                FlowConfig read = checkedName(flow) ? reader.read(flow) : null;
                if (read != null) {
                    flows.add(read);
                }
            }
        }
        return flows;
    }

    private boolean checkedName(ConfigValue flow) {
        boolean fits = FLOW_NAME.matcher(flow.key()).matches();
        if (!fits) {
            flow.refuseKey("'" + Quoted.plain(flow.key())
                    + "' is not a valid flow name; write a letter, then letters, digits, - or _, at most 64");
        }
        return fits;
    }

    private @Nullable AdminConfig admin(@Nullable ConfigValue value) {
        ConfigMapping admin = value == null ? null : value.mapping(ADMIN, "admin: { port: 9090 }");
        if (admin == null || admin.required("port", "port: 9090") == null) {
            return null;
        }
        return new AdminConfig(
                Addresses.host(admin), Addresses.port(admin), admin.ifGiven("token", FlowFileReader::token));
    }

    /** Long enough not to be guessed, and only characters that a header field allows. */
    private static @Nullable Secret token(ConfigValue value) {
        String text = value.text();
        if (text == null || TOKEN.matcher(text).matches()) {
            return text == null ? null : new Secret(text);
        }
        value.refuse(
                "must be 16 to 512 letters, digits and -._~+/=",
                "write for instance token: \"${file:/run/secrets/admin}\"");
        return null;
    }

    private @Nullable BrokerConfig broker(@Nullable ConfigValue value) {
        ConfigMapping broker = value == null ? null : value.mapping(BROKER, "broker: { port: 61616 }");
        return value == null || broker == null || broker.required("port", "port: 61616") == null
                ? null
                : new BrokerConfig(value.location(), Addresses.host(broker), Addresses.port(broker), login(broker));
    }

    private static BrokerConfig.@Nullable Login login(ConfigMapping broker) {
        Configured<String> user = broker.ifGiven("user", FlowFileReader::notEmpty);
        Configured<String> password = broker.ifGiven("password", FlowFileReader::notEmpty);
        if (user != null && broker.get("password") == null) {
            broker.refuse("broker has a 'user' and no 'password'; add " + BrokerConfig.PASSWORD_EXAMPLE);
        } else if (password != null && broker.get("user") == null) {
            broker.refuse("broker has a 'password' and no 'user'; add for instance user: penstock");
        }
        return user == null || password == null
                ? null
                : new BrokerConfig.Login(user.value(), new Secret(password.value()));
    }

    private static @Nullable String notEmpty(ConfigValue value) {
        String text = value.text();
        if (text != null && text.isEmpty()) {
            value.refuse("is empty", "write 1 character or more, or leave user and password out");
            return null;
        }
        return text;
    }

    private Configured<Duration> drain(@Nullable ConfigValue value) {
        ConfigMapping shutdown = value == null ? null : value.mapping(SHUTDOWN, "shutdown: { drain: 30s }");
        return shutdown == null
                ? Configured.byDefault(Durations.parse(GatewayConfig.DEFAULT_DRAIN))
                : shutdown.duration("drain", GatewayConfig.DEFAULT_DRAIN, "0s", "1h");
    }

    private Configured<Path> state(@Nullable ConfigValue value) {
        String written = value == null ? null : value.text();
        if (value != null && written != null) {
            try {
                return Configured.inFile(top.folder().resolve(written).normalize(), value.location());
            } catch (InvalidPathException none) {
                value.refuseValue("which is not a path", "write for instance ./penstock-state");
            }
        }
        return Configured.byDefault(top.folder().resolve(GatewayConfig.DEFAULT_STATE));
    }
}
