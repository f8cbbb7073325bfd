package io.lambdafs.benchmarks.micro.driver;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * A Hadoop file system over libcephfs-java with the measured namespace operations only: files are created empty and
 * opened, but not read. It uses reflection, as the library belongs to the machine. All threads share one mount;
 * thread-safe as the library is.
 */
public final class CephFileSystem extends FileSystem {
    /** Property: the {@code ceph.conf}. */
    public static final String CONF = "lambdafs.bench.ceph.conf";

    private static final int O_RDONLY = 1;
    private static final int O_CREAT = 8;
    private static final int O_EXCL = 32;
    private static final int O_WRONLY = 64;

    private URI uri = URI.create("ceph:///");
    private final Ceph ceph = new Ceph();

    /** The library's methods; none before {@link #mount}. */
    private static final class Ceph {
        private Object mount = this;
        private Class<?> statType = Object.class;

        void mount(String conf) throws IOException {
            try {
                Class<?> type = Class.forName("com.ceph.fs.CephMount");
                statType = Class.forName("com.ceph.fs.CephStat");
                mount = type.getConstructor(String.class).newInstance("admin");
                call("conf_read_file", conf);
                call("mount", "/");
            } catch (ReflectiveOperationException | LinkageError e) {
                throw new IOException(
                        "libcephfs-java cannot be used (apt-get install libcephfs-java libcephfs-jni): " + e, e);
            }
        }

        /** Calls the method with this name and these arguments. */
        Object call(String name, Object... arguments) throws IOException {
            try {
                for (Method method : mount.getClass().getMethods()) {
                    if (method.getName().equals(name) && takes(method, arguments)) {
                        Object answer = method.invoke(mount, arguments);
                        return answer == null ? name : answer;
                    }
                }
                throw new IOException("libcephfs-java has no " + name);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof IOException failure) {
                    throw failure;
                }
                throw new IOException(name + ": " + e.getCause(), e);
            } catch (IllegalAccessException e) {
                throw new IOException(e);
            }
        }

        private static boolean takes(Method method, Object... arguments) {
            Class<?>[] types = method.getParameterTypes();
            if (types.length != arguments.length) {
                return false;
            }
            for (int i = 0; i < types.length; i++) {
                boolean fits = types[i].isInstance(arguments[i])
                        || (types[i] == int.class && arguments[i] instanceof Integer)
                        || (types[i] == long.class && arguments[i] instanceof Long);
                if (!fits) {
                    return false;
                }
            }
            return true;
        }

        Object stat(String path) throws IOException {
            try {
                Object stat = statType.getConstructor().newInstance();
                call("lstat", path, stat);
                return stat;
            } catch (ReflectiveOperationException e) {
                throw new IOException(e);
            }
        }

        static long number(Object stat, String field) throws IOException {
            try {
                return ((Number) stat.getClass().getField(field).get(stat)).longValue();
            } catch (ReflectiveOperationException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        super.initialize(name, configuration);
        uri = URI.create("ceph:///");
        setConf(configuration);
        ceph.mount(configuration.get(CONF));
    }

    @Override
    public URI getUri() {
        return uri;
    }

    private static String text(Path path) {
        return path.toUri().getPath();
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        Object file = ceph.call("open", text(path), O_RDONLY, 0);
        return new FSDataInputStream(new FSInputStream() {
            @Override
            public void seek(long position) throws IOException {
                throw new IOException("content is not read here");
            }

            @Override
            public long getPos() {
                return 0;
            }

            @Override
            public boolean seekToNewSource(long target) {
                return false;
            }

            @Override
            public int read() throws IOException {
                throw new IOException("content is not read here");
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                return read();
            }

            @Override
            public void close() throws IOException {
                ceph.call("close", file);
            }
        });
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress)
            throws IOException {
        Object file = ceph.call("open", text(path), O_CREAT | O_WRONLY | (overwrite ? 0 : O_EXCL), 0644);
        return new FSDataOutputStream(
                new OutputStream() {
                    @Override
                    public void write(int one) throws IOException {
                        throw new IOException("content is not written here");
                    }

                    @Override
                    public void close() throws IOException {
                        ceph.call("close", file);
                    }
                },
                statistics);
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, Progressable progress) throws IOException {
        throw new IOException("content is not written here");
    }

    @Override
    public boolean rename(Path from, Path to) throws IOException {
        ceph.call("rename", text(from), text(to));
        return true;
    }

    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        ceph.call("unlink", text(path));
        return true;
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        String[] names = (String[]) ceph.call("listdir", text(path));
        FileStatus[] found = new FileStatus[names.length];
        for (int i = 0; i < names.length; i++) {
            found[i] = getFileStatus(new Path(path, names[i]));
        }
        return found;
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        try {
            ceph.call("mkdirs", text(path), 0755);
            return true;
        } catch (IOException there) {
            return getFileStatus(path).isDirectory();
        }
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        Object stat = ceph.stat(text(path));
        boolean directory = (Ceph.number(stat, "mode") & 0170000) == 0040000;
        return new FileStatus(
                Ceph.number(stat, "size"),
                directory,
                1,
                Ceph.number(stat, "blksize"),
                Ceph.number(stat, "m_time"),
                path);
    }

    @Override
    public void setWorkingDirectory(Path path) {}

    @Override
    public Path getWorkingDirectory() {
        return new Path("/");
    }

    @Override
    public void close() throws IOException {
        super.close();
        ceph.call("unmount");
    }
}
