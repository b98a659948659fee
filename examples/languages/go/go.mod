module example/members

go 1.19
