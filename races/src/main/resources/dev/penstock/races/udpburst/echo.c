/*
 * The limit in the race udp-burst: the best that a server of this kind can do. It uses recvmmsg of 64, memmem and
 * sendmmsg; or, if segmented, sends all answers for a peer with one call and the kernel splits them (UDP_SEGMENT).
 *
 *   echo FIND WITH BUFFER SEGMENTED     BUFFER in bytes of kernel memory, SEGMENTED 0 or 1
 *
 * It exchanges the same lines with the runner as ServerMain does, and exits when its standard input is closed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BATCH 64
#define MAX_SIZE 2048
#define MAX_SEGMENTS 60 /* of 1,024 bytes, less than 65,507 in total */
#ifndef SO_RCVBUFFORCE
#define SO_RCVBUFFORCE 33
#endif
#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

static int fd;
static const char *find, *with;
static size_t find_length, with_length;
static atomic_long received, answered;

static void add(atomic_long *count, long more) {
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + more, memory_order_relaxed);
}

static void fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

static size_t replaced(const char *from, size_t length, char *to) {
    const char *end = from + length;
    char *at = to, *most = to + MAX_SIZE;
    for (;;) {
        const char *hit = memmem(from, (size_t) (end - from), find, find_length);
        size_t before = (size_t) ((hit ? hit : end) - from);
        if (at + before + (hit ? with_length : 0) > most) {
            return (size_t) (at - to);
        }
        memcpy(at, from, before);
        at += before;
        if (!hit) {
            return (size_t) (at - to);
        }
        memcpy(at, with, with_length);
        at += with_length;
        from = hit + find_length;
    }
}

static char in[BATCH][MAX_SIZE], out[BATCH][MAX_SIZE];
static struct sockaddr_in peers[BATCH];
static struct iovec in_parts[BATCH], out_parts[BATCH];
static struct mmsghdr requests[BATCH], answers[BATCH];

static void send_each(int count) {
    for (int sent = 0; sent < count;) {
        int now = sendmmsg(fd, answers + sent, (unsigned) (count - sent), 0);
        if (now > 0) {
            add(&answered, now);
            sent += now;
        } else if (errno != EINTR) {
            sent++; /* skip what cannot be sent */
        }
    }
}

/* The number of consecutive answers with the same peer and size. */
static int run_of(int from, int count) {
    int to = from + 1;
    while (to < count && to - from < MAX_SEGMENTS && out_parts[to].iov_len == out_parts[from].iov_len
           && peers[to].sin_port == peers[from].sin_port && peers[to].sin_addr.s_addr == peers[from].sin_addr.s_addr) {
        to++;
    }
    return to - from;
}

static void send_segmented(int count) {
    for (int from = 0; from < count;) {
        int run = run_of(from, count);
        _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
        struct msghdr message = {0};
        message.msg_name = &peers[from];
        message.msg_namelen = sizeof peers[from];
        message.msg_iov = &out_parts[from];
        message.msg_iovlen = (size_t) run;
        if (run > 1) {
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            struct cmsghdr *head = CMSG_FIRSTHDR(&message);
            head->cmsg_level = SOL_UDP;
            head->cmsg_type = UDP_SEGMENT;
            head->cmsg_len = CMSG_LEN(sizeof(uint16_t));
            uint16_t size = (uint16_t) out_parts[from].iov_len;
            memcpy(CMSG_DATA(head), &size, sizeof size);
        }
        ssize_t sent;
        do {
            sent = sendmsg(fd, &message, 0);
        } while (sent < 0 && errno == EINTR);
        if (sent >= 0) {
            add(&answered, run);
        }
        from += run;
    }
}

static void *serve(void *segmented) {
    for (int i = 0; i < BATCH; i++) {
        in_parts[i] = (struct iovec) {in[i], MAX_SIZE};
        out_parts[i] = (struct iovec) {out[i], 0};
        requests[i].msg_hdr.msg_iov = &in_parts[i];
        requests[i].msg_hdr.msg_iovlen = 1;
        requests[i].msg_hdr.msg_name = &peers[i];
        answers[i].msg_hdr.msg_iov = &out_parts[i];
        answers[i].msg_hdr.msg_iovlen = 1;
        answers[i].msg_hdr.msg_name = &peers[i];
        answers[i].msg_hdr.msg_namelen = sizeof peers[i];
    }
    for (;;) {
        for (int i = 0; i < BATCH; i++) {
            requests[i].msg_hdr.msg_namelen = sizeof peers[i];
        }
        int count = recvmmsg(fd, requests, BATCH, MSG_WAITFORONE, NULL);
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            fail("recvmmsg");
        }
        add(&received, count);
        for (int i = 0; i < count; i++) {
            out_parts[i].iov_len = replaced(in[i], requests[i].msg_len, out[i]);
        }
        if (segmented) {
            send_segmented(count);
        } else {
            send_each(count);
        }
    }
    return NULL;
}

static long cpu_nanos(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void set_buffer(long bytes) {
    int half = (int) (bytes / 2); /* the kernel doubles it */
    if (bytes > 0 && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &half, sizeof half) < 0) {
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &half, sizeof half);
    }
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "echo FIND WITH BUFFER SEGMENTED\n");
        return 2;
    }
    find = arguments[1];
    find_length = strlen(find);
    with = arguments[2];
    with_length = strlen(with);
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof here;
    if (fd < 0 || bind(fd, (struct sockaddr *) &here, sizeof here) < 0
        || getsockname(fd, (struct sockaddr *) &here, &length) < 0) {
        fail("cannot open a socket");
    }
    set_buffer(atol(arguments[3]));
    int buffer = 0;
    length = sizeof buffer;
    getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, &length);
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("port %d buffer %d\n", ntohs(here.sin_port), buffer);
    pthread_t server;
    if (pthread_create(&server, NULL, serve, atol(arguments[4]) ? arguments : NULL) != 0) {
        fail("cannot start a thread");
    }
    char line[64];
    long cpu_before = cpu_nanos();
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "begin\n") == 0) {
            cpu_before = cpu_nanos();
            printf("begun\n");
        } else if (strcmp(line, "counts\n") == 0) {
            printf("counts received=%ld answered=%ld cpu_ns=%ld\n", atomic_load(&received), atomic_load(&answered),
                   cpu_nanos() - cpu_before);
        }
    }
    return 0;
}
