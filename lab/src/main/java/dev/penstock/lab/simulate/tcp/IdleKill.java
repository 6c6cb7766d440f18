package dev.penstock.lab.simulate.tcp;

import java.util.Locale;

/** How middleboxes end a connection that was idle for too long. */
public enum IdleKill {
    /**
     * It is forgotten: what either side sends is dropped without an answer. Neither side is notified, and no FIN or RST
     * of one reaches the other. Most firewalls and NATs do this.
     */
    BLACKHOLE,
    /** Both sides get a reset. Some load balancers do this. */
    RST,
    /** Both sides get a FIN. Proxies do this. */
    FIN;

    /** The name on the command line and in reports. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
