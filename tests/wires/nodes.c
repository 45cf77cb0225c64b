/* The device nodes of a Raspberry Pi for one process, by LD_PRELOAD.
 *
 * Under $CRIBBOARD_NODES stands a tree: dev/gpiochip0, dev/spidev0.0 and so on are UNIX sockets of a server, a reader's
 * dev/ttyACM0 is a pseudo-terminal, and proc/ has what tells gpiozero the model. Whoever opens, looks at or lists such a path gets that of the tree; a path
 * whose owner may not read is forbidden, to root too. An open node is a connection to the server. Each ioctl is one
 * packet there (the request, then what the kernel would read) and one back (the result, the errno, then what the kernel
 * would write). A GPIO line that is requested is a socket of events, which is read and polled as it is; its ioctls go
 * over a second socket that the program does not see.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <linux/spi/spidev.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#define FILES 4096
#define PARTS 64
#define CLOSING 0u /* the request by which a line is released, before its descriptor is closed */
#define WRITING 1u /* the request by which bytes are written to a node */
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* For each open node or line: the socket of its ioctls, plus one; 0 for any other file. */
static int control[FILES];
static pthread_mutex_t locks[FILES];

/* The path in the tree that stands for this one, or this one. */
static const char *place(const char *path, char *room)
{
    static const char *const theirs[] = {"/dev/gpiochip", "/dev/spidev", "/dev/i2c-",
                                         "/dev/ttyACM",   "/proc/device-tree/", "/proc/cpuinfo"};
    const char *tree = getenv("CRIBBOARD_NODES");
    int in_tree = !strcmp(path, "/dev") || !strcmp(path, "/dev/");
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        in_tree |= !strncmp(path, theirs[i], strlen(theirs[i]));
    if (!tree || !in_tree)
        return path;
    snprintf(room, PATH_MAX, "%s%s", tree, path);
    return room;
}

/* 0, or -1 with the errno: root is treated as any other user. */
static int allowed(const char *path)
{
    struct stat file;
    if (REAL(stat)(path, &file))
        return -1;
    if (file.st_mode & S_IRUSR)
        return 0;
    errno = EACCES;
    return -1;
}

static int open_node(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (file < 0)
        return -1;
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (file >= FILES || connect(file, (struct sockaddr *)&address, sizeof address)) {
        REAL(close)(file);
        errno = ENODEV;
        return -1;
    }
    control[file] = file + 1;
    return file;
}

static int open_any(int folder, const char *path, int flags, mode_t mode)
{
    char room[PATH_MAX];
    struct stat file;
    const char *there = place(path, room);
    if (there == path)
        return REAL(openat64)(folder, path, flags, mode);
    if (allowed(there))
        return -1;
    if (!REAL(stat)(there, &file) && S_ISSOCK(file.st_mode))
        return open_node(there);
    return REAL(openat64)(AT_FDCWD, there, flags, mode);
}

#define OPEN(name, folder, ...)                                                                                        \
    int name(__VA_ARGS__ const char *path, int flags, ...)                                                             \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, mode_t) : 0;                                      \
        va_end(more);                                                                                                  \
        return open_any(folder, path, flags, mode);                                                                    \
    }
#define AT_FOLDER int folder,
OPEN(open, AT_FDCWD, )
OPEN(open64, AT_FDCWD, )
OPEN(openat, folder, AT_FOLDER)
OPEN(openat64, folder, AT_FOLDER)

FILE *fopen(const char *path, const char *how)
{
    char room[PATH_MAX];
    return REAL(fopen)(place(path, room), how);
}

FILE *fopen64(const char *path, const char *how)
{
    char room[PATH_MAX];
    return REAL(fopen64)(place(path, room), how);
}

DIR *opendir(const char *path)
{
    char room[PATH_MAX];
    return REAL(opendir)(place(path, room));
}

int stat(const char *path, struct stat *file)
{
    char room[PATH_MAX];
    return REAL(stat)(place(path, room), file);
}

int stat64(const char *path, struct stat64 *file)
{
    char room[PATH_MAX];
    return REAL(stat64)(place(path, room), file);
}

int access(const char *path, int how)
{
    char room[PATH_MAX];
    const char *there = place(path, room);
    return there == path ? REAL(access)(path, how) : allowed(there);
}

/* One ioctl at the server: sends the request and `out`, and fills `in`. Returns what the server answers. Where it
 * passes two sockets, those of a line, they are put into `sockets`. Whatever thread asks first is answered first. */
static int ask(int file, uint32_t request, const struct iovec *out, int outs, const struct iovec *in, int ins,
               int *sockets)
{
    int32_t head[2] = {-1, EIO};
    struct iovec sent[PARTS] = {{&request, sizeof request}}, received[PARTS] = {{head, sizeof head}};
    char room[CMSG_SPACE(2 * sizeof(int))] = {0};
    struct msghdr question = {.msg_iov = sent, .msg_iovlen = 1 + outs};
    struct msghdr answer = {
        .msg_iov = received, .msg_iovlen = 1 + ins, .msg_control = room, .msg_controllen = sizeof room};
    int before, wire = control[file] - 1;
    ssize_t count;
    memcpy(sent + 1, out, outs * sizeof *out);
    memcpy(received + 1, in, ins * sizeof *in);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); /* lgpio ends its threads wherever they are */
    pthread_mutex_lock(&locks[file]);
    while ((count = sendmsg(wire, &question, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    if (count >= 0)
        while ((count = recvmsg(wire, &answer, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
            ;
    pthread_mutex_unlock(&locks[file]);
    pthread_setcancelstate(before, NULL);
    if (count < (ssize_t)sizeof head) { /* the server has ended the connection: the device is gone */
        errno = ESHUTDOWN;
        return -1;
    }
    struct cmsghdr *passed = CMSG_FIRSTHDR(&answer);
    if (passed && sockets)
        memcpy(sockets, CMSG_DATA(passed), 2 * sizeof(int));
    errno = head[1];
    return head[0];
}

static int spi_message(int file, struct spi_ioc_transfer *transfers, int count)
{
    struct iovec out[PARTS] = {{transfers, count * sizeof *transfers}}, in[PARTS];
    int outs = 1, ins = 0;
    if (2 * count + 2 > PARTS) {
        errno = EMSGSIZE;
        return -1;
    }
    for (int i = 0; i < count; i++) {
        if (transfers[i].tx_buf)
            out[outs++] = (struct iovec){(void *)(uintptr_t)transfers[i].tx_buf, transfers[i].len};
        if (transfers[i].rx_buf)
            in[ins++] = (struct iovec){(void *)(uintptr_t)transfers[i].rx_buf, transfers[i].len};
    }
    return ask(file, SPI_IOC_MESSAGE(1), out, outs, in, ins, NULL);
}

static int i2c_smbus(int file, struct i2c_smbus_ioctl_data *asked)
{
    union i2c_smbus_data none = {0}, *data = asked->data ? asked->data : &none;
    uint32_t head[3] = {asked->read_write, asked->command, asked->size};
    struct iovec out[] = {{head, sizeof head}, {data, sizeof *data}}, in[] = {{data, sizeof *data}};
    return ask(file, I2C_SMBUS, out, 2, in, 1, NULL);
}

static int i2c_rdwr(int file, struct i2c_rdwr_ioctl_data *asked)
{
    uint32_t heads[PARTS][3];
    struct iovec out[PARTS], in[PARTS];
    int outs = 0, ins = 0;
    if (2 * asked->nmsgs + 2 > PARTS) {
        errno = EINVAL;
        return -1;
    }
    for (uint32_t i = 0; i < asked->nmsgs; i++) {
        struct i2c_msg *one = &asked->msgs[i];
        heads[i][0] = one->addr, heads[i][1] = one->flags, heads[i][2] = one->len;
        out[outs++] = (struct iovec){heads[i], sizeof heads[i]};
        if (one->flags & I2C_M_RD)
            in[ins++] = (struct iovec){one->buf, one->len};
        else
            out[outs++] = (struct iovec){one->buf, one->len};
    }
    return ask(file, I2C_RDWR, out, outs, in, ins, NULL);
}

/* Any other request: the kernel reads and writes one structure, whose size is in the request. */
static int plain(int file, uint32_t request, void *argument)
{
    uint64_t number = (uintptr_t)argument;
    int by_number = request == I2C_SLAVE || request == I2C_SLAVE_FORCE;
    struct iovec one = {argument, request == I2C_FUNCS ? sizeof(unsigned long) : _IOC_SIZE(request)};
    struct iovec out = by_number ? (struct iovec){&number, sizeof number} : one;
    int reads = request == I2C_FUNCS || _IOC_DIR(request) & _IOC_READ, sockets[2] = {-1, -1};
    int result = ask(file, request, &out, by_number || _IOC_DIR(request) & _IOC_WRITE, &one, reads, sockets);
    if (result >= 0 && request == GPIO_V2_GET_LINE_IOCTL) {
        ((struct gpio_v2_line_request *)argument)->fd = sockets[0];
        control[sockets[0]] = sockets[1] + 1;
    }
    return result;
}

int ioctl(int file, unsigned long request, ...)
{
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (file < 0 || file >= FILES || !control[file] || request == FIONBIO || request == FIOCLEX) /* the VFS's own */
        return REAL(ioctl)(file, request, argument);
    if (_IOC_TYPE(request) == SPI_IOC_MAGIC && _IOC_NR(request) == 0)
        return spi_message(file, argument, _IOC_SIZE(request) / sizeof(struct spi_ioc_transfer));
    if (request == I2C_SMBUS)
        return i2c_smbus(file, argument);
    if (request == I2C_RDWR)
        return i2c_rdwr(file, argument);
    return plain(file, request, argument);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    struct iovec out = {(void *)(uintptr_t)bytes, count};
    if (file < 0 || file >= FILES || !control[file])
        return REAL(write)(file, bytes, count);
    return ask(file, WRITING, &out, 1, NULL, 0, NULL) ? -1 : (ssize_t)count;
}

int close(int file)
{
    if (file >= 0 && file < FILES && control[file]) {
        int wire = control[file] - 1;
        ask(file, CLOSING, NULL, 0, NULL, 0, NULL);
        control[file] = 0;
        if (wire != file)
            REAL(close)(wire);
    }
    return REAL(close)(file);
}
