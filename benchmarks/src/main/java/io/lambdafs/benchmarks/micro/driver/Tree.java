package io.lambdafs.benchmarks.micro.driver;

/**
 * Directories with equally many empty files, by number. Immutable.
 *
 * @param root absolute
 * @param directories at least 1
 * @param files of each
 */
record Tree(String root, int directories, int files) {
    String directory(int number) {
        return root + "/d" + number;
    }

    String file(int directory, int number) {
        return directory(directory) + "/f" + number;
    }

    /** How many files there are in all. */
    int size() {
        return directories * files;
    }

    /** The file of a number below {@link #size}: neighbours lie in different directories. */
    String file(int number) {
        return file(number % directories, number / directories);
    }
}
