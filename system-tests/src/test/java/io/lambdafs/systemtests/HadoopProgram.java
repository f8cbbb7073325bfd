package io.lambdafs.systemtests;

import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/** A small program that knows Hadoop and two properties, nothing of λFS. Prints what it finds. */
public final class HadoopProgram {
    private HadoopProgram() {}

    /** @param arguments the value of {@code lambdafs.dir}, then names of classes to look for */
    public static void main(String[] arguments) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set("fs.defaultFS", "lambdafs://local/");
        configuration.set("lambdafs.dir", arguments[0]);
        try (FileSystem fs = FileSystem.get(URI.create("lambdafs://local/"), configuration)) {
            Path jar = Path.of(fs.getClass()
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            System.out.println(fs.getClass().getSimpleName() + " of " + jar.getFileName());
            org.apache.hadoop.fs.Path hello = new org.apache.hadoop.fs.Path("/home/me/hello");
            try (FSDataOutputStream out = fs.create(hello)) {
                out.writeUTF("hello");
            }
            try (FSDataInputStream in = fs.open(hello)) {
                System.out.println("read " + in.readUTF());
            }
            org.apache.hadoop.fs.Path moved = new org.apache.hadoop.fs.Path("/home/you");
            try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(moved, "open"))) {
                out.writeUTF("kept");
                System.out.println("renamed " + fs.rename(moved, hello.getParent()));
            }
            try (FSDataInputStream in = fs.open(new org.apache.hadoop.fs.Path(hello.getParent(), "you/open"))) {
                System.out.println("read " + in.readUTF());
            }
            for (FileStatus each : fs.listStatus(hello.getParent())) {
                System.out.println("listed " + each.getPath() + " " + each.getLen());
            }
        }
        for (int i = 1; i < arguments.length; i++) {
            System.out.println(arguments[i] + (isVisible(arguments[i]) ? " is visible" : " is not there"));
        }
    }

    private static boolean isVisible(String className) {
        try {
            Class.forName(className, false, HadoopProgram.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
