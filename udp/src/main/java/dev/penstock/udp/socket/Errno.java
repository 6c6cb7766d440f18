package dev.penstock.udp.socket;

/** Messages for error numbers that state what to do. */
final class Errno {
    private Errno() {}

    static String words(int number) {
        return switch (number) {
            case Libc.EPERM, Libc.EACCES -> "not permitted (error " + number + "); grant the process the permission";
            case Libc.EAFNOSUPPORT ->
                "this machine does not support IPv6 (error 97); bind to an IPv4 address, such as 0.0.0.0";
            case Libc.EADDRINUSE ->
                "the address is in use (error 98); choose another, or stop the process that listens there";
            case Libc.ENOBUFS -> "the kernel is out of buffer memory (error 105); configure smaller buffers";
            case 24, 23 -> "too many open files (error " + number + "); raise ulimit -n";
            default -> "system error " + number + " (see errno(3))";
        };
    }
}
