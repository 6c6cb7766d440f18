package dev.penstock.kit;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** Lincheck for tests that wait for no machine. */
public final class ModelCheck {
    /** The timeout of JUnit, which is shorter, applies. */
    private static final long NO_BOUND = TimeUnit.HOURS.toMillis(1);

    private ModelCheck() {}

    /**
     * Options for model checking. An execution that takes longer than 30 s counts as hung by default, and the first one
     * includes the time to instrument the classes that it uses: on a busy core, this alone takes longer. Threads that
     * wait for each other are found without a timeout.
     */
    public static ModelCheckingOptions options() {
        return new ModelCheckingOptions().invocationTimeout$lincheck(NO_BOUND);
    }
}
