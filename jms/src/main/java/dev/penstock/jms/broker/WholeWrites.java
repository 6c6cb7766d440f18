package dev.penstock.jms.broker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file whose writes store all bytes or fail; those of the JDK may store only a part. Thread-safe. */
final class WholeWrites extends FileChannel {
    private final FileChannel file;

    WholeWrites(FileChannel file) {
        this.file = file;
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        int all = from.remaining();
        while (from.hasRemaining()) {
            checkProgress(file.write(from));
        }
        return all;
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
        int all = from.remaining();
        long at = position;
        while (from.hasRemaining()) {
            at += checkProgress(file.write(from, at));
        }
        return all;
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        long all = 0;
        for (int index = offset; index < offset + length; index++) {
            all += write(from[index]);
        }
        return all;
    }

    private static int checkProgress(int written) throws IOException {
        if (written == 0) {
            throw new IOException("nothing was written");
        }
        return written;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return file.read(into);
    }

    @Override
    public int read(ByteBuffer into, long position) throws IOException {
        return file.read(into, position);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        return file.read(into, offset, length);
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        file.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        file.truncate(size);
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        file.force(metaData);
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return file.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return file.transferFrom(source, position, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return file.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return file.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }
}
