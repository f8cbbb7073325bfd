package io.lambdafs.hammer.tree;

/**
 * The progress of an import.
 *
 * @param done files and directories created
 * @param total files and directories to create
 * @param perSecond entries created per second since the start
 */
public record ImportProgress(long done, long total, double perSecond) {}
