package dev.penstock.migrate;

import dev.penstock.migrate.OldName.OldUse;
import dev.penstock.text.SpellingHint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the pool and meaning of a property by its name, including its prefix. */
final class OldPools {
    private static final String C3P0 = "c3p0.";
    private static final String HIBERNATE_C3P0 = "hibernate.c3p0.";
    private static final String HIBERNATE_HIKARI = "hibernate.hikari.";
    private static final String HIBERNATE_CONNECTION = "hibernate.connection.";

    /** The only name of a URL in DBCP and Tomcat's pool; other files have one too. */
    private static final OldName DBCP_URL = new OldName("url", OldUse.URL, "");

    private static final Pattern OF_POOL =
            Pattern.compile("((hibernate\\.)?(c3p0|hikari|connection)|spring\\.datasource)\\..*");

    private OldPools() {}

    /** The meaning of a property; null when it is not a property of a known pool. */
    static @Nullable OldName of(String written) {
        String name = withoutJpa(written);
        if (name.startsWith(HIBERNATE_C3P0)) {
            return first(name.substring(HIBERNATE_C3P0.length()), HibernateNames.C3P0, C3p0Names.ALL);
        }
        if (name.startsWith(C3P0)) {
            return first(name.substring(C3P0.length()), C3p0Names.ALL, HibernateNames.C3P0);
        }
        if (name.startsWith(HIBERNATE_HIKARI)) {
            return ofHikari(name.substring(HIBERNATE_HIKARI.length()));
        }
        if (name.startsWith(HIBERNATE_CONNECTION)) {
            String rest = name.substring(HIBERNATE_CONNECTION.length());
            OldName own = HibernateNames.CONNECTION.get(rest);
            return own == null ? new OldName(rest, OldUse.DRIVER, "") : own;
        }
        if (name.matches("(jakarta|javax)\\.persistence\\.jdbc\\..*")) {
            return HibernateNames.CONNECTION.get(name.substring(name.lastIndexOf('.') + 1));
        }
        if (name.startsWith(SpringNames.HIKARI)) {
            return SpringNames.hikari(name.substring(SpringNames.HIKARI.length()));
        }
        if (name.startsWith(SpringNames.DATASOURCE)) {
            return SpringNames.OWN.relaxed(name.substring(SpringNames.DATASOURCE.length()));
        }
        if (name.equals(DBCP_URL.name())) {
            return DBCP_URL;
        }
        OldName ofElement = HibernateNames.PERSISTENCE.get(name);
        return ofElement == null ? ofHikari(name) : ofElement;
    }

    private static String withoutJpa(String name) {
        return name.startsWith(SpringNames.JPA) ? name.substring(SpringNames.JPA.length()) : name;
    }

    private static boolean isBelowPool(String name) {
        return OF_POOL.matcher(name).matches();
    }

    private static @Nullable OldName first(String name, PoolNames one, PoolNames other) {
        OldName found = one.get(name);
        return found == null ? other.get(name) : found;
    }

    private static @Nullable OldName ofHikari(String name) {
        for (String before : List.of("dataSource.", "dataSourceProperties.")) {
            if (name.startsWith(before)) {
                return ofDataSource(name.substring(before.length()));
            }
        }
        return HikariNames.ALL.get(name.startsWith("healthCheckProperties.") ? "healthCheckProperties" : name);
    }

    private static OldName ofDataSource(String rest) {
        OldUse use = switch (rest) {
            case "user" -> OldUse.USER;
            case "password" -> OldUse.PASSWORD;
            case "url", "URL" -> OldUse.URL;
            default -> OldUse.DRIVER;
        };
        return new OldName(rest, use, "");
    }

    /** Whether the name can only be a property of a pool; the SDK has a {@code password} too, and others a {@code url}. */
    static boolean isPoolProperty(String name) {
        OldName known = of(name);
        return known != null && !known.equals(DBCP_URL) && (name.contains(".") || known.use() != OldUse.PASSWORD);
    }

    /** Whether it is a property that no pool reads. */
    static boolean isOfApplication(String name) {
        return near(name).isEmpty() && (HibernateNames.isAny(name) || SpringNames.isOfApplication(name));
    }

    /** Why a property that no pool reads is dropped, from a file with properties of a pool or without. */
    static String unknown(String name, boolean hasPool) {
        Optional<String> near = near(name);
        if (near.isPresent()) {
            return "unknown pool property; did you mean " + near.get() + "?";
        }
        if (SpringNames.isOtherSource(name)) {
            return "of another data source, or of a pool that is not imported; import the other data source by itself";
        }
        if (isBelowPool(withoutJpa(name))) {
            return "unknown pool property";
        }
        if (HibernateNames.isAny(name)) {
            return "not about connections; stays with Hibernate";
        }
        return hasPool && !name.contains(".")
                ? "unknown pool property"
                : "not about connections or calls; stays with the application";
    }

    /** The probably intended name, with its prefix; names of other parts of an application are not alike. */
    static Optional<String> near(String written) {
        String name = withoutJpa(written);
        if (HibernateNames.isAny(name) && !isBelowPool(name)) {
            return Optional.empty();
        }
        String before = name.substring(0, name.lastIndexOf('.') + 1);
        String jpa = written.substring(0, written.length() - name.length());
        Map<String, String> known = new LinkedHashMap<>();
        switch (before) {
            case "" -> {
                HikariNames.ALL.names().forEach(word -> known.put(word, word));
                C3p0Names.ALL.names().forEach(word -> known.putIfAbsent(word, C3P0 + word));
            }
            case C3P0, HIBERNATE_C3P0 -> {
                HibernateNames.C3P0.names().forEach(word -> known.put(word, before + word));
                C3p0Names.ALL.names().forEach(word -> known.put(word, before + word));
            }
            case HIBERNATE_HIKARI, SpringNames.HIKARI ->
                HikariNames.ALL.names().forEach(word -> known.put(word, before + word));
            case SpringNames.DATASOURCE -> {
                HikariNames.ALL.names().forEach(word -> known.put(word, SpringNames.HIKARI + word));
                SpringNames.OWN.names().forEach(word -> known.put(word, before + word));
            }
            default -> {}
        }
        return SpellingHint.of(name.substring(before.length()), known.keySet()).map(word -> jpa + known.get(word));
    }
}
