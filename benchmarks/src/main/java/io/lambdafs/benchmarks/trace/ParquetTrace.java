package io.lambdafs.benchmarks.trace;

import io.lambdafs.hammer.trace.Trace;
import io.lambdafs.hammer.trace.TraceReader;
import io.lambdafs.hammer.trace.TraceRecord;
import io.lambdafs.hammer.trace.TraceRow;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * A trace in a Parquet file with the columns of a CSV trace: {@code time} is a number of seconds or a timestamp, {@code
 * size} an integer, the others strings. Row groups are read one after the other. Immutable.
 */
public final class ParquetTrace implements Trace {
    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    private final Path file;

    public ParquetTrace(Path file) {
        this.file = file;
    }

    /** Returns whether a file begins like a Parquet file. */
    public static boolean isOne(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
        } catch (IOException e) {
            // Reading it later reports the error.
            return false;
        }
    }

    @Override
    public TraceReader open() throws IOException {
        ParquetFileReader opened;
        try {
            opened = ParquetFileReader.open(new LocalInputFile(file));
        } catch (RuntimeException e) {
            throw FsException.invalidArgument(file + ": it is no whole Parquet file: " + e, e);
        }
        try {
            return new Reader(opened);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    @Override
    public String describe() {
        return "trace " + file;
    }

    private final class Reader implements TraceReader {
        private final ParquetFileReader in;
        private final MessageType schema;
        private final TraceRow row = new TraceRow(this::place);
        private @Nullable RecordReader<Group> group;
        private long left;
        private long number;

        Reader(ParquetFileReader in) {
            this.in = in;
            this.schema = in.getFileMetaData().getSchema();
            List<String> columns =
                    schema.getFields().stream().map(Type::getName).toList();
            row.check(columns, "");
            for (Type type : schema.getFields()) {
                if (!type.isPrimitive() || type.isRepetition(Type.Repetition.REPEATED)) {
                    throw row.bad("the column \"" + type.getName() + "\" is not of single values");
                }
            }
        }

        private String place() {
            return number == 0 ? file.toString() : file + ", row " + number;
        }

        @Override
        public @Nullable TraceRecord next() throws IOException {
            while (left == 0) {
                PageReadStore pages;
                try {
                    pages = in.readNextRowGroup();
                } catch (RuntimeException e) {
                    throw row.bad("what follows cannot be read: " + e);
                }
                if (pages == null) {
                    return null;
                }
                left = pages.getRowCount();
                group = new ColumnIOFactory()
                        .getColumnIO(schema)
                        .getRecordReader(pages, new GroupRecordConverter(schema));
            }
            RecordReader<Group> rows = group;
            if (rows == null) {
                return null;
            }
            left--;
            number++;
            Group values;
            try {
                values = rows.read();
            } catch (RuntimeException e) {
                throw row.bad("it cannot be read: " + e);
            }
            return row.record(column -> text(values, column));
        }

        private String text(Group values, String column) {
            if (!schema.containsField(column) || values.getFieldRepetitionCount(column) == 0) {
                return "";
            }
            Type type = schema.getType(column);
            return switch (type.asPrimitiveType().getPrimitiveTypeName()) {
                case INT64 ->
                    type.getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation stamp
                            ? seconds(values.getLong(column, 0), stamp)
                            : Long.toString(values.getLong(column, 0));
                case INT32 -> Integer.toString(values.getInteger(column, 0));
                case DOUBLE -> new BigDecimal(Double.toString(values.getDouble(column, 0))).toPlainString();
                case BINARY -> values.getBinary(column, 0).toStringUsingUTF8();
                default -> throw row.bad("the column \"" + column + "\" is of a type that is not read here: " + type);
            };
        }

        private static String seconds(long value, TimestampLogicalTypeAnnotation stamp) {
            int digits = switch (stamp.getUnit()) {
                case MILLIS -> 3;
                case MICROS -> 6;
                case NANOS -> 9;
            };
            return BigDecimal.valueOf(value, digits).toPlainString();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
