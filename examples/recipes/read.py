"""The mean of a released column, with what the noise and the sample leave open: python3 read.py released.csv visits"""

import csv
import statistics
import sys

path, column = sys.argv[1:]
with open(path, newline="", encoding="utf-8") as file:
    dialect = csv.Sniffer().sniff(file.readline(), ",;\t|")
    file.seek(0)
    # An empty cell is a value that was missing. A negative one is noise: leave it in.
    values = [float(row[column]) for row in csv.DictReader(file, dialect=dialect) if row[column] != ""]
mean = statistics.fmean(values)
error = statistics.stdev(values) / len(values) ** 0.5
print(f"{len(values)} values, mean {mean:.3f} ± {1.96 * error:.3f}")
