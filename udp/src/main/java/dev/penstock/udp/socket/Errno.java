package dev.penstock.udp.socket;

/** What error numbers mean to who has to do something about them. */
final class Errno {
    private Errno() {}

    static String words(int number) {
        return switch (number) {
            case Libc.EPERM, Libc.EACCES -> "not permitted (error " + number + "); ask for the right to, or do without";
            case Libc.EAFNOSUPPORT ->
                "this machine has no IPv6 (error 97); bind to an address of IPv4, such as 0.0.0.0";
            case Libc.EADDRINUSE -> "the address is taken (error 98); choose another, or end what listens there";
            case Libc.ENOBUFS -> "the kernel has no memory for it (error 105); ask for smaller buffers";
            case 24, 23 -> "too many open files (error " + number + "); raise ulimit -n";
            default -> "error " + number + " of the system (see errno(3))";
        };
    }
}
