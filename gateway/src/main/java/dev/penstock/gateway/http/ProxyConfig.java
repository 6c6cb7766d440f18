package dev.penstock.gateway.http;

import dev.penstock.gateway.config.ConfigMapping;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.TargetUrl;
import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The proxy in front of a target, reached over plain HTTP. https targets use a CONNECT tunnel.
 *
 * @param hostAndPort the address, for instance {@code proxy.example:3128} or {@code [::1]:3128}
 * @param login the credentials; null for none
 */
public record ProxyConfig(
        Configured<String> hostAndPort, @Nullable Login login) {
    private static final String EXAMPLE = "proxy: { url: \"http://proxy.example:3128\" }";
    private static final String REMEDY = "write for instance http://proxy.example:3128";
    private static final Schema PROXY = Schema.of("to.http.proxy", EXAMPLE);
    private static final Key<String> URL = PROXY.key(
                    "url", KeyType.text("http://HOST:PORT", ProxyConfig::hostAndPort), "the address of the proxy")
            .required("url: \"http://proxy.example:3128\"")
            .alias("host port address host_port");
    private static final Key<String> USER =
            PROXY.key("user", KeyType.text(), "the user of the proxy").alias("username name");
    private static final Key<Secret> PASSWORD = PROXY.key("password", KeyType.secret(), "the password of that user");

    static final KeyType<ProxyConfig> TYPE = KeyType.keys(PROXY, ProxyConfig::read);

    private static @Nullable ProxyConfig read(ConfigMapping proxy) {
        Configured<String> hostAndPort = proxy.find(URL);
        Login login = login(proxy.written(USER), proxy.written(PASSWORD));
        return hostAndPort == null ? null : new ProxyConfig(hostAndPort, login);
    }

    private static @Nullable String hostAndPort(ConfigValue value) {
        String text = value.text();
        if (text == null) {
            return null;
        }
        URI url = TargetUrl.parsed(text.contains("://") ? text : "http://" + text);
        String wrong = url == null ? "is not a URL; " + REMEDY : wrong(url);
        if (url != null && wrong == null) {
            return url.getHost() + ":" + url.getPort();
        }
        String[] parts = String.valueOf(wrong).split("; ", 2);
        value.refuse(parts[0], parts[1]);
        return null;
    }

    private static @Nullable String wrong(URI url) {
        String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http")) {
            return "has the scheme '" + Quoted.plain(scheme)
                    + "', but a proxy is reached over plain HTTP; begin it with http://";
        }
        if (String.valueOf(url.getRawAuthority()).contains("@")) {
            return "contains a user name or password; use the keys user: NAME and password: \"${file:PATH}\"";
        }
        if (url.getHost() == null) {
            return "has no valid host name; " + REMEDY;
        }
        if (url.getPort() < 1 || url.getPort() > 65_535) {
            return "has no port from 1 to 65535; " + REMEDY;
        }
        boolean more = !url.getRawPath().matches("/?") || url.getRawQuery() != null || url.getRawFragment() != null;
        return more ? "has parts besides host and port; " + REMEDY : null;
    }

    private static @Nullable Login login(@Nullable ConfigValue user, @Nullable ConfigValue password) {
        if (user == null) {
            if (password != null) {
                password.refuse("is given without 'user'", "add user: NAME, or leave it out");
            }
            return null;
        }
        if (password == null) {
            user.refuse("is given without 'password'", "add password: \"${file:PATH}\", or \"\" for an empty one");
            return null;
        }
        String name = user.text();
        String secret = password.text();
        if (name == null || secret == null) {
            return null;
        }
        // RFC 7617 section 2: the first colon ends the name.
        if (name.isEmpty() || name.contains(":") || isControl(name)) {
            user.refuse("is not a valid user name", "write one line without a colon");
            return null;
        }
        if (isControl(secret)) {
            password.refuse("contains a character that is not allowed in a header", "write one line of plain text");
            return null;
        }
        return new Login(name, new Secret(secret));
    }

    private static boolean isControl(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /**
     * A user name and password.
     *
     * @param user without a colon
     * @param password may be empty
     */
    public record Login(String user, Secret password) {}
}
